import type { Redis } from 'ioredis';
import { z } from 'zod';
import { count } from '../util/schema.js';
import type { Program } from './program.js';
import { redisTime } from './redis.js';
import { CALLS, callerKey, callKey, WORKERS } from './redis-keys.js';
import { asStored, callId, stored, storedProgram } from './stored.js';

/** A process, by where it runs. */
export interface Host {
  readonly host: string;
  readonly pid: number;
}

/** What a worker says of itself, each second. */
export interface WorkerState extends Host {
  readonly id: string;
  readonly program: Program;
  /** Id of the shared folder that it sees. */
  readonly share: string | null;
  /** Parts that it does at a time. */
  readonly hands: number;
  readonly doing: readonly { readonly call: string; readonly part: string; readonly since: number }[];
  /** By the clock of Redis, milliseconds. */
  readonly heardAt: number;
}

/** What is known of a call. */
export interface CallState {
  readonly id: string;
  readonly name: string;
  readonly program: Program;
  readonly share: string | null;
  readonly caller: Host;
  /** By the clock of Redis, milliseconds. */
  readonly begun: number;
  readonly state: 'running' | 'stopped' | 'failed' | 'cancelled';
  /** Parts that were given out so far, or all of them where that is known; those that are done; and those that failed, with the reason. */
  readonly parts: number;
  readonly done: number;
  readonly failed: readonly string[];
  /** Whether the process that called still lives. */
  readonly attended: boolean;
}

/** A worker that says nothing for so long is not counted. */
const SILENT_MS = 10_000;
/** And is struck off after so long. */
const STRUCK_MS = 60_000;

const hostFields = { host: z.string(), pid: count };

const workerSchema = z.object({
  ...hostFields,
  id: z.string(),
  program: storedProgram,
  share: z.string().nullable(),
  hands: count,
  doing: z.array(z.object({ call: z.string(), part: z.string(), since: z.number() })),
  heardAt: z.number(),
});

const headSchema = z.object({
  name: z.string(),
  program: storedProgram,
  share: z.string().nullable(),
  caller: z.object(hostFields),
  begun: z.number(),
});

const stateSchema = z.enum(['running', 'stopped', 'failed', 'cancelled']);

/** Reads the workers that were heard of lately. Errors: SCHEMA_INVALID. */
export async function liveWorkers(redis: Redis): Promise<WorkerState[]> {
  const [now, all] = [await redisTime(redis), await redis.hgetall(WORKERS)];
  const states = Object.values(all).map((text): WorkerState => stored(workerSchema, text, WORKERS));
  const gone = states.filter(({ heardAt }) => now - heardAt > STRUCK_MS).map(({ id }) => id);
  if (gone.length > 0) await redis.hdel(WORKERS, ...gone);
  return states.filter(({ heardAt }) => now - heardAt <= SILENT_MS).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Reads what is known of a call; undefined where there is none. Errors: SCHEMA_INVALID. */
export async function callState(redis: Redis, id: string): Promise<CallState | undefined> {
  const key = callKey(id);
  const found = await redis.hgetall(key);
  if (found.head === undefined) return undefined;
  // It names files as well.
  asStored(callId, id, key);
  const head = stored(headSchema, found.head, key);
  return {
    id,
    ...head,
    state: asStored(stateSchema, found.state, key),
    parts: stored(count, found.parts ?? '0', key),
    done: stored(count, found.done ?? '0', key),
    failed: stored(z.array(z.string()), found.failed ?? '[]', key),
    attended: (await redis.exists(callerKey(id))) === 1,
  };
}

/** Reads all calls that are under way or wait to be called again, the oldest first. */
export async function openCalls(redis: Redis): Promise<CallState[]> {
  const states: CallState[] = [];
  for (const id of await redis.smembers(CALLS)) {
    const state = await callState(redis, id);
    if (state) states.push(state);
  }
  return states.sort((a, b) => a.begun - b.begun);
}
