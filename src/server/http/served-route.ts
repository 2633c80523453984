import type { z } from 'zod';
import type { Service } from '../service.js';
import type { Counters } from './counters.js';
import type { LongWork } from './long-work.js';
import type { ServedRelease } from './served-releases.js';

/** The media type of most requests and answers. */
export const JSON_TYPE = 'application/json';

/** What a server answers from. */
export interface HttpContext {
  readonly service: Service;
  readonly longWork: LongWork;
  readonly releases: ReadonlyMap<string, ServedRelease>;
  readonly counters: Counters;
  /** The explorer's page. */
  readonly page: () => string;
  /** The server ends: what is in flight is answered, nothing more is taken. */
  readonly ending: () => boolean;
}

/** A request as a route sees it. */
export interface Asked {
  /** A part of the path, decoded. */
  param(name: string): string;
  /** A value of the query, decoded. */
  query(name: string): string | undefined;
  /** Without its parameters, in small letters; empty where none is stated. */
  readonly mediaType: string;
  /** The whole body. Errors: REQUEST_TOO_LARGE, SERVER_BUSY, REQUEST_ABORTED, MEDIA_TYPE. */
  body(most: number): Promise<Buffer>;
}

/** What a route answers with. */
export interface Reply {
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  /** `JSON_TYPE` unless given. */
  readonly type?: string;
  readonly status?: number;
}

/** One thing that is served: the server and its OpenAPI document know no other list than `routes.ts`. */
export interface Route {
  readonly method: 'get' | 'post';
  /** With parameters as `{name}`. */
  readonly path: string;
  readonly summary: string;
  /** Needs no token: says nothing about data. */
  readonly open?: true;
  /** What each parameter of the path is. */
  readonly params?: Readonly<Record<string, string>>;
  /** What each value of the query is; none must be given. */
  readonly query?: Readonly<Record<string, string>>;
  /** Forms of the body by media type; null is any bytes. */
  readonly takes?: Readonly<Record<string, z.ZodType | null>>;
  /** Forms of the answer by media type. */
  readonly gives: Readonly<Record<string, z.ZodType | null>>;
  /** Errors: those of what is asked for, with statuses of `error-status.ts`. */
  answer(asked: Asked, context: HttpContext): Reply | Promise<Reply>;
}
