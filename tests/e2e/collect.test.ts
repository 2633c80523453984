import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliInline } from '../support/cli-inline.js';
import { faultModel, SECRET, temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';
import type { Fault } from '../support/fault-reply.js';
import { type FaultServer, startFaultServer } from '../support/fault-server.js';

const CLI = resolve('dist/cli/main.js');
const ENV = { PATH: process.env.PATH, TEST_KEY: SECRET };

let folder: string;
let server: FaultServer | undefined;
let fault: Fault;

beforeEach(() => {
  folder = temporaryFolder();
  fault = 'correct';
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

async function serve(): Promise<string> {
  server = await startFaultServer({
    seed: 'e',
    prices: { prompt: 2, completion: 6 },
    choose: () => fault,
  });
  return server.url;
}

/** Runs to the end without blocking this process, whose event loop is the server's. */
function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv = ENV,
  onAccepted?: (kill: (signal: NodeJS.Signals) => void) => void,
) {
  const consent = args[0] === 'collect' && !args.includes('--confirm') ? ['--yes'] : [];
  const child = spawn(process.execPath, [CLI, ...args, ...consent], { cwd: folder, env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  if (server) server.onAccepted = () => onAccepted?.((signal) => child.kill(signal));
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
    child.on('close', (code) => done({ code, stdout, stderr })),
  );
}

function plan(models: readonly unknown[], tasks = 6, more: Record<string, unknown> = {}): string {
  writeTasks(folder, tasks);
  return writePlan(folder, {
    task_sets: [{ path: 'panel_1.jsonl' }],
    budget: { usd: '5' },
    models,
    ...more,
  });
}

describe('flavourbench plan', () => {
  it('goes from init to check to compile, without a call and the same each time', async () => {
    const init = await run(['plan', 'init']);
    expect(init.code).toBe(0);
    expect((await run(['plan', 'init'])).code).toBe(0);
    const written = readFileSync(join(folder, 'plan.yaml'), 'utf8');
    writeFileSync(join(folder, 'plan.yaml'), `${written}# mine\n`);
    expect((await run(['plan', 'init'])).stderr).toContain('OUTPUT_EXISTS');
    const none = await run(['plan', 'check', 'plan.yaml']);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('flavourbench compile --env pantry');
    const words = /flavourbench (compile .*--out tasks\.json)\n/.exec(init.stdout)?.[1] ?? '';
    expect((await run([...words.split(' '), '--per-stratum', '5'])).code).toBe(0);
    const check = await run(['plan', 'check', 'plan.yaml', '--json']);
    expect(JSON.parse(check.stdout)).toMatchObject({
      provider_calls_made: 0,
      forecast: { ceiling_fits: true },
    });
    const one = await run(['plan', 'compile', 'plan.yaml', '-o', 'out']);
    const two = await run(['plan', 'compile', 'plan.yaml', '-o', 'out']);
    expect([one.code, two.code, one.stdout === two.stdout]).toEqual([0, 0, true]);
    expect(readdirSync(join(folder, 'out'))).toHaveLength(1);
    const proof = await run(['plan', 'manifest', one.stdout.trim()]);
    expect(proof.code).toBe(0);
    expect(proof.stdout).toMatch(/^OK: 2 routes, 2 pinned, plan first-run, [0-9a-f]{64}$/m);
  });

  it('names the task file of the user in what init writes', async () => {
    for (const flags of [[], ['--roster-27']]) {
      const { code, stdout } = await run(['plan', 'init', 'my plan.yaml', '--force', ...flags]);
      expect(code).toBe(0);
      expect(stdout).toContain("flavourbench plan check 'my plan.yaml'\n");
      const text = readFileSync(join(folder, 'my plan.yaml'), 'utf8');
      expect(text).toContain("flavourbench plan check 'my plan.yaml'");
      expect(text).not.toMatch(/fixtures|check plan\.yaml/);
      expect(text).not.toMatch(/grantee: [A-Z]|quote_sha256: [0-9a-f]/);
      if (flags.length > 0)
        expect(stdout).toContain('z-ai/glm-5.3 may be asked only under a written permission of yours');
    }
  });

  it('says every place where a plan is wrong and exits 2', async () => {
    writeFileSync(
      join(folder, 'p.yaml'),
      'schema: flavourbench-plan/1\nname: n\nbudget: {usd: -1}\ntask_sets: []\nmodels: []\n',
    );
    const { code, stderr, stdout } = await run(['plan', 'check', 'p.yaml']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/p\.yaml, line 3: budget\.usd: .*; line 4: task_sets: .*; line 5: models: /);
    expect(stderr).not.toContain('    at ');
  });

  it('prints the JSON Schema of a collection plan', () => {
    const { stdout } = spawnSync(process.execPath, [CLI, 'plan', 'schema'], { encoding: 'utf8' });
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object' });
  });
});

describe('flavourbench collect', () => {
  it('spends nothing before somebody agreed to the most it can cost', async () => {
    const file = plan([faultModel(await serve(), 'openai', 't/a')]);
    const asked = spawnSync(process.execPath, [CLI, 'collect', file], { cwd: folder, env: ENV, encoding: 'utf8' });
    expect(asked.status).toBe(2);
    expect(asked.stderr).toMatch(
      /USAGE: 6 cells may cost up to 0\.\d+ USD, and nobody has agreed to that\n.*--yes, or --confirm/,
    );
    expect(existsSync(join(folder, 'ledger'))).toBe(false);
    expect(server?.calls).toBe(0);
    const { largest_cost: cost } = JSON.parse((await run(['collect', file, '--dry-run', '--json'])).stdout);
    expect(cost).toMatchObject({ cells: 6, room_micros: 5_000_000, largest_micros: cost.ceiling_micros });
    const other = await run(['collect', file, '--confirm', 'a'.repeat(64)]);
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining(`confirmation ${cost.confirmation}`)]);
    expect(server?.calls).toBe(0);
    expect((await run(['collect', file, '--confirm', cost.confirmation])).code).toBe(0);
    expect(server?.calls).toBe(6);
    // The same digest is for the same cells and the same balance.
    const more = plan([faultModel(server!.url, 'openai', 't/a'), faultModel(server!.url, 'openai', 't/b')]);
    expect((await run(['collect', more, '--confirm', cost.confirmation])).code).toBe(2);
    expect(server?.calls).toBe(6);
  });

  it('says what it would do on --dry-run and writes nothing', async () => {
    const file = plan([faultModel(await serve(), 'openai', 't/a')]);
    const { code, stdout } = await run(['collect', file, '--dry-run', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ provider_calls_made: 0, to_ask: 6 });
    expect((await run(['collect', file, '--dry-run'])).stdout).toMatch(/\n {2}and 1 more\n$/);
    expect(existsSync(join(folder, 'ledger'))).toBe(false);
    expect(server?.calls).toBe(0);
  });

  it('exits 0 when every cell is recorded, and makes no call the second time', async () => {
    const file = plan([faultModel(await serve(), 'openrouter', 't/a')]);
    const first = await run(['collect', file, '--json']);
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ status: 'complete', completed: 6 });
    const calls = (server?.calls ?? 0) + (server?.accountingCalls ?? 0);
    expect(calls).toBe(12);
    expect(await run(['collect', file])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('complete: 0 asked'),
    });
    expect((server?.calls ?? 0) + (server?.accountingCalls ?? 0)).toBe(calls);
  });

  it('exits 3 and names the reason when cells stay pending', async () => {
    fault = 'unauthorised';
    const file = plan([faultModel(await serve(), 'openai', 't/a')]);
    const { code, stdout } = await run(['collect', file]);
    expect(code).toBe(3);
    expect(stdout).toContain('6 pending');
    expect(stdout).toContain('t/a rested: credential: HTTP 401');
  });

  it('exits 5 when the budget is reached', async () => {
    const models = [faultModel(await serve(), 'openai', 't/a')];
    const { code, stdout } = await run(['collect', plan(models, 40, { budget: { usd: '0.005' } }), '--json']);
    expect(code).toBe(5);
    expect(JSON.parse(stdout).spent_micros).toBeLessThanOrEqual(5000);
  });

  it('exits 2 for an unpinned route and for a missing credential, and writes nothing', async () => {
    const url = await serve();
    const loose = plan([faultModel(url, 'openai', 't/a', { revision: undefined })]);
    const unpinned = await run(['collect', loose]);
    expect([unpinned.code, unpinned.stderr.includes('ROUTE_UNPINNED')]).toEqual([2, true]);
    const pinned = plan([faultModel(url, 'openai', 't/a')]);
    const poor = await run(['collect', pinned], { PATH: process.env.PATH });
    expect([poor.code, poor.stderr.includes('TEST_KEY')]).toEqual([2, true]);
    expect(existsSync(join(folder, 'ledger'))).toBe(false);
    expect(
      (await run(['collect', plan([faultModel(url, 'openai', 't/a', { revision: undefined })]), '--allow-unpinned']))
        .code,
    ).toBe(0);
  });

  it('finishes what is in flight on an interrupt, exits 5, and resumes', async () => {
    fault = 'trickle';
    const file = plan([faultModel(await serve(), 'openai', 't/a', { concurrency: 3 })], 30);
    let sent = false;
    const stopped = await run(['collect', file, '--json'], ENV, (kill) => {
      if (!sent && server!.accepted.size >= 5) {
        sent = true;
        kill('SIGINT');
      }
    });
    expect(stopped.code).toBe(5);
    expect(stopped.stderr).toContain('finishing the requests in flight');
    const summary = JSON.parse(stopped.stdout);
    expect(summary).toMatchObject({ status: 'stopped_by_signal' });
    expect(summary.completed).toBe(server?.calls);
    const rest = await run(['collect', file, '--json']);
    expect(JSON.parse(rest.stdout)).toMatchObject({ status: 'complete', sealed_ambiguous: 0 });
    expect(server?.calls).toBe(30);
  });

  it('lets one process write: the second says who holds the ledger', async () => {
    fault = 'trickle';
    const file = plan([faultModel(await serve(), 'openai', 't/a', { concurrency: 1 })], 12);
    const second = ['collect', file, '--ledger', join(folder, 'ledger'), '--yes'];
    let refused: ReturnType<typeof cliInline> | undefined;
    // In this process: another Node may start only when the first has ended already.
    const first = run(['collect', file], ENV, () => {
      refused ??= cliInline(second);
    });
    expect((await first).code).toBe(0);
    expect(await refused).toMatchObject({ code: 2 });
    expect((await refused)?.stderr).toMatch(/LEDGER_LOCKED.*held by process \d+/);
    expect(server?.calls).toBe(12);
  });

  it('asks failures again from the list that the ledger writes', async () => {
    fault = 'empty';
    const file = plan([faultModel(await serve(), 'openai', 't/a')]);
    // Five empty replies in a row rest the route; the sixth may be in flight then.
    expect((await run(['collect', file])).code).toBe(3);
    const failed = server?.calls ?? 0;
    const { stdout } = await run(['ledger', 'failures', 'ledger']);
    writeFileSync(join(folder, 'again.jsonl'), stdout.split('\n').slice(0, 2).join('\n'));
    fault = 'correct';
    const again = await run(['collect', file, '--retry', 'again.jsonl', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ asked: 2, completed: 2, already_failed: failed - 2 });
    expect(server?.calls).toBe(failed + 2);
    const verify = await run(['ledger', 'verify', 'ledger']);
    expect(verify.code).toBe(0);
  });

  it('keeps its credential out of every file, whatever a gateway echoes', async () => {
    let echoes = 0;
    const echo = createServer((request, response) => {
      const key = String(request.headers.authorization);
      const code = request.url?.includes('generation') ? 200 : Number(request.headers['x-status']);
      response.writeHead(code, { 'content-type': 'application/json', 'cf-aig-cache-status': key });
      const message = { content: key, refusal: null };
      const body = JSON.stringify({
        id: key,
        model: 't/a',
        choices: [{ message, finish_reason: 'stop', native_finish_reason: key }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
        ...(code === 200 ? {} : { error: { code: key, type: SECRET, message: key } }),
      });
      // Every other reply spells it in escapes, which only reading the JSON undoes.
      echoes += 1;
      const spelt = [...SECRET].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('');
      response.end(echoes % 2 === 0 ? body : body.replaceAll(SECRET, () => spelt));
    });
    await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(echo.address() as AddressInfo).port}`;
    try {
      const models = [200, 400, 401, 429, 500].map((status) =>
        faultModel(url, status === 200 ? 'openrouter' : 'openai', `t/${status}`, {
          headers: { 'x-status': String(status) },
          allow_unlisted: { headers: ['x-status'] },
        }),
      );
      const file = plan(models, 4, { max_attempts: 1, accounting: { attempts: 1 } });
      const { code, stdout, stderr } = await run(['collect', file]);
      expect(code).toBe(3);
      expect(stdout + stderr).not.toContain(SECRET);
      const names = readdirSync(join(folder, 'ledger'), { recursive: true, withFileTypes: true });
      const files = names.filter((n) => n.isFile()).map((n) => join(n.parentPath, n.name));
      expect(files.length).toBeGreaterThan(12);
      expect(files.filter((path) => readFileSync(path, 'utf8').includes(SECRET))).toEqual([]);
    } finally {
      echo.closeAllConnections();
      echo.close();
    }
  });

  it('shows a blind table with --live and the agreement of the repeat panel', async () => {
    const models = [
      { id: 'sim/a', transport: 'simulated', skill: 1 },
      { id: 'sim/b', transport: 'simulated', skill: 0 },
    ];
    const phases = { primary: {}, repeat: { per_family: 3 } };
    const file = plan(models, 16, { phases, budget: { usd: '0' } });
    const { code, stderr, stdout } = await run(['collect', file, '--live']);
    expect(code).toBe(0);
    expect(stdout).toContain('SIMULATED');
    expect(stderr).toMatch(/model +recorded +failed +left pending +parsed +USD/);
    expect(stderr).not.toMatch(/score/i);
    const agreement = await run(['collect', file, '--agreement', '--json']);
    expect(JSON.parse(agreement.stdout)).toMatchObject([
      {
        model_id: 'sim/a',
        pairs: 12,
        jaccard: 1,
        identical: 12,
        below_floor: false,
        score_difference: null,
      },
      { model_id: 'sim/b', pairs: 12, below_floor: true, score_difference: null },
    ]);
  });
});
