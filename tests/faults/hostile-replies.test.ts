import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../src/ledger/verify-ledger.js';
import { faultModel, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import { chatReply, type ReplyServer, type ServedReply, startReplyServer } from '../support/reply-server.js';

/** A key with the characters that JSON, addresses and Base64 spell in more than one way. */
const KEY = 'k/e+y="0\\9?~eQz7';

let folder: string;
let server: ReplyServer;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface CollectOptions {
  readonly flags?: readonly string[];
  /** Called with the number of each request, from 0, and the process that made it. */
  readonly onCall?: (nth: number, child: ChildProcess) => void;
}

/** Runs the real command over 40 cells of a route against a server of that answer. */
async function collect(answer: (nth: number, path: string) => ServedReply, options: CollectOptions = {}) {
  const { flags = [], onCall } = options;
  let child: ChildProcess | undefined;
  server = await startReplyServer((nth, path) => {
    if (child) onCall?.(nth, child);
    return answer(nth, path);
  });
  writePlan(folder, {
    task_sets: [{ path: writeTasks(folder, 40) }],
    budget: { usd: '10' },
    concurrency: { global: 40 },
    suspend_after: 1000,
    max_attempts: 2,
    accounting: { attempts: 1, delay_s: 0 },
    models: [faultModel(server.url, 'openai', 't/a', { concurrency: 40, timeout_s: 10 })],
  });
  const args = [resolve('dist/cli/main.js'), 'collect', 'plan.json', '--ledger', 'L', '--yes', ...flags];
  const run = spawn(process.execPath, args, { cwd: folder, env: { PATH: process.env.PATH, TEST_KEY: KEY } });
  child = run;
  let output = '';
  run.stdout.on('data', (chunk: Buffer) => (output += chunk));
  run.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const late = setTimeout(() => run.kill('SIGKILL'), 40_000);
  const [code] = await once(run, 'close');
  clearTimeout(late);
  return { code: code as number | null, output };
}

/** Every file below the folder, and what the command printed, as one text. */
const everything = (output: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n') + output;

describe('a server that says the key back', () => {
  const hex = [...KEY].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const forms = {
    plain: JSON.stringify(KEY).slice(1, -1),
    escaped: hex,
    'in an address': encodeURIComponent(KEY),
    'in Base64': Buffer.from(`user:${KEY}`).toString('base64'),
    'over lines': [...KEY].map((c) => JSON.stringify(c).slice(1, -1)).join('\\n'),
    'backwards in full-width letters': [...KEY]
      .reverse()
      .map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0))
      .join(''),
  };
  const bodies: Readonly<Record<string, (key: string) => string>> = {
    everywhere: (key) =>
      `{"id":"${key}","model":"${key}","provider":"${key}","object":"chat.completion","choices":[{"finish_reason":"${key}","native_finish_reason":"${key}","message":{"content":"${key} FINAL_SELECTION: A,B,C","refusal":null,"${key}":1}}],"usage":{"prompt_tokens":"${key}","completion_tokens":1,"cost":"${key}"},"${key}":"${key}"}`,
    'in an answer': (key) => chatReply('t/a', {}, 'FINAL_SELECTION: A,B,C @').replace('@', key),
    'in an error': (key) =>
      `{"error":{"code":"${key}","type":"${key}","message":"${key}","metadata":{"provider_name":"${key}"}}}`,
    'in no JSON': (key) => `<html>${key}</html>`,
  };
  it.each(Object.keys(bodies))('leaves it in no file and on no stream: %s, in every spelling', async (place) => {
    const spellings = Object.values(forms);
    const run = await collect((nth) => ({
      status: place === 'in an error' && nth % 2 === 0 ? 400 : 200,
      headers: { 'x-echo': encodeURIComponent(KEY), 'retry-after': encodeURIComponent(KEY) },
      body: bodies[place]!(spellings[nth % spellings.length]!),
    }));
    expect([0, 3]).toContain(run.code);
    const text = everything(run.output);
    for (const spelling of [
      KEY,
      ...spellings,
      encodeURIComponent(KEY).toLowerCase(),
      Buffer.from(KEY).toString('base64').slice(2, -3),
    ])
      expect([spelling, text.includes(spelling)]).toEqual([spelling, false]);
    if (place !== 'in an error' && place !== 'in no JSON') expect(text).toContain('[redacted]');
    expect(verifyLedger(join(folder, 'L')).problems).toEqual([]);
  });
});

describe('a server that asks for an endless wait', () => {
  it.each(['1000000000000', '99999999999999999999999999', 'Fri, 31 Dec 9999 23:59:59 GMT', 'Fri Dec 31 23:59:59 9999'])(
    'Retry-After: %s rests the route at once, without a warning of the system',
    async (wait) => {
      const run = await collect(
        () => ({ status: 429, headers: { 'retry-after': wait }, body: '{"error":{"code":429}}' }),
        { flags: ['--max-wait', '604800'] },
      );
      expect(run.code).toBe(3);
      expect(run.output).toContain('asks to wait');
      expect(run.output).not.toMatch(/Warning|\(node:|MaxListeners|Overflow/);
    },
  );

  it('parks forty requests at once, and ends on SIGTERM, without a warning of listeners', async () => {
    const run = await collect(
      () => ({ status: 429, headers: { 'retry-after': '3000' }, body: '{"error":{"code":429}}' }),
      {
        flags: ['--max-wait', '604800'],
        onCall: (nth, child) => {
          if (nth === 39) setTimeout(() => child.kill('SIGTERM'), 500);
        },
      },
    );
    expect(run.code).toBe(5);
    expect(run.output).not.toMatch(/Warning|\(node:|MaxListeners|Overflow/);
  });
});
