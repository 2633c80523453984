import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { printError } from '../../src/cli/print-error.js';
import { cliInline } from '../support/cli-inline.js';
import { temporaryFolder } from '../support/collect-run.js';
import { writePlan, writeTasks } from '../support/collect-world.js';

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

function plan(tasks = 12): string {
  writeTasks(folder, tasks);
  return writePlan(folder, {
    task_sets: [{ path: 'panel_1.jsonl' }],
    budget: { usd: '0' },
    phases: { primary: {}, repeat: { per_family: 1 } },
    models: [
      { id: 'sim/a', transport: 'simulated', skill: 0.5, refusal_rate: 0.5 },
      { id: 'sim/b', transport: 'simulated', skill: 0.9, slip_rate: 0.3 },
    ],
  });
}

/** Every file of a folder with its content, by name. */
function contents(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .sort()
      .map((path) => [path.slice(dir.length), readFileSync(path, 'utf8')]),
  );
}

describe('a collection of simulated responders', () => {
  it('is a function of its plan: two ledgers are equal byte for byte', async () => {
    const file = plan();
    for (const name of ['one', 'two']) expect((await cliInline(['collect', file, '--ledger', at(name)])).code).toBe(0);
    const one = contents(at('one'));
    expect(Object.keys(one)).toHaveLength(2 + 2 * (12 + 4));
    expect(contents(at('two'))).toEqual(one);
    // What a plan says of routes, and what came over them, is its owner's alone as long as it is no release.
    for (const path of Object.keys(one).filter((name) =>
      /\/(?:manifest-\w+\.json|attempts\.jsonl|records\/.*)$/.test(name),
    ))
      expect(statSync(join(at('one'), path)).mode & 0o777, path).toBe(0o600);
    expect(Object.keys(one).filter((name) => name.startsWith('/manifest-'))).toHaveLength(1);
  });

  it('gives every attempt a new name, also when the same cell fails again', async () => {
    const file = plan();
    const run = (...more: string[]) => cliInline(['collect', file, '--ledger', at('l'), ...more]);
    await run();
    const failures = await cliInline(['ledger', 'failures', at('l')]);
    writeFileSync(at('list'), failures.stdout);
    const dry = await run('--retry', at('list'), '--dry-run', '--json');
    const failed = failures.stdout.trim().split('\n').length;
    expect(JSON.parse(dry.stdout)).toMatchObject({ provider_calls_made: 0, to_ask: failed });
    expect(JSON.parse((await run('--retry', at('list'), '--json')).stdout).asked).toBe(failed);
    expect(JSON.parse((await run('--retry', at('list'), '--dry-run', '--json')).stdout).to_ask).toBe(0);
    const journal = readFileSync(join(at('l'), 'attempts.jsonl'), 'utf8');
    const names = [...journal.matchAll(/"attempt_id":"(\w+)".*"type":"request_started"/g)];
    expect(new Set(names.map(([, name]) => name)).size).toBe(names.length);
    expect(names).toHaveLength(2 * (12 + 4) + failed);
  });
});

describe('the end of a session', () => {
  it('points to the failed cells, and the calls that it prints work as they stand', async () => {
    const file = plan();
    const run = await cliInline(['collect', file, '--ledger', at('l')]);
    expect(run.code).toBe(0);
    const failures = await cliInline(['ledger', 'failures', at('l')]);
    const failed = failures.stdout.trim().split('\n').length;
    expect(run.stdout).toContain(`${failed} failed cells are not asked again unless you say so:`);
    expect(run.stdout).toContain(`flavourbench ledger failures ${at('l')} > retry.jsonl`);
    expect(run.stdout).toContain(`flavourbench collect ${file} --ledger ${at('l')} --retry retry.jsonl`);
    expect(run.stdout).not.toContain('pending cells are asked');
    const list = await cliInline(['ledger', 'failures', at('l'), '--json']);
    expect(JSON.parse(list.stdout)).toEqual(
      failures.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
    writeFileSync(at('list.json'), list.stdout);
    const again = ['collect', file, '--ledger', at('l'), '--retry', at('list.json'), '--json'];
    expect(JSON.parse((await cliInline(again)).stdout).asked).toBe(failed);
  });

  it('says of cells that stay pending that they do, not that they were given up', async () => {
    writeTasks(folder, 2);
    const file = writePlan(folder, {
      task_sets: [{ path: 'panel_1.jsonl' }],
      budget: { usd: '1' },
      max_attempts: 1,
      models: [
        {
          id: 'local/b',
          transport: 'openai',
          base_url: 'http://127.0.0.1:9/v1',
          expected_model: 'b',
          revision: 'r1',
          decoding: { max_tokens: 8 },
          price: { prompt: '0', completion: '0' },
        },
      ],
    });
    const { code, stdout } = await cliInline(['collect', file, '--ledger', at('my ledger')]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/local\/b: 2 cells stay pending, the last after: .*ECONNREFUSED/);
    expect(stdout).not.toMatch(/given up|unless you say so/);
    expect(stdout).toContain(
      `pending cells are asked by the next:  flavourbench collect ${file} --ledger '${at('my ledger')}'`,
    );
    const check = await cliInline(['plan', 'check', file]);
    expect(check.stdout).toMatch(/pinned to/);
    expect(check.stdout).toMatch(/local\/b .* r\S*[…n] ?r?1 /);
    expect(check.stdout).not.toMatch(/\bprovider\b {2}/);
  });
});

describe('a call that is refused before anything is written', () => {
  it.each([
    ['--live-scores without --agreement', ['--live-scores'], 'a collection is blind'],
    ['a file as ledger', ['--ledger', 'FILE'], 'a ledger is a folder, found a file'],
    ['a ledger below a file', ['--ledger', 'FILE/x'], 'FILE_SYSTEM'],
  ])('%s', async (_, flags, words) => {
    const file = plan();
    const before = readdirSync(folder);
    const args = flags.map((flag) => flag.replace('FILE', file));
    const run = await cliInline(['collect', file, ...args]);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toMatch(/BUG|\n {4}at /);
    expect(readdirSync(folder)).toEqual(before);
  });

  it.each([
    ['no address', 'http://:pa55word', 'HTTPS_PROXY is not the address'],
    ['another kind of proxy', 'socks5://u:pa55word@h:1', 'HTTPS_PROXY is not the address'],
  ])('names HTTPS_PROXY with %s, without repeating its value', async (_, value, words) => {
    const file = plan();
    vi.stubEnv('HTTPS_PROXY', value);
    vi.stubEnv('https_proxy', undefined);
    const run = await cliInline(['collect', file, '--ledger', at('l')]);
    expect([run.code, existsSync(at('l'))]).toEqual([2, false]);
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain('pa55word');
  });

  it('names a file given to --ca that holds no certificate', async () => {
    const file = plan();
    const run = await cliInline(['collect', file, '--ledger', at('l'), '--ca', file]);
    expect([run.code, existsSync(at('l'))]).toEqual([2, false]);
    expect(run.stderr).toContain('no certificate in PEM form');
  });

  it('names a log that cannot be read, and the model over which no core can be frozen', async () => {
    const file = plan();
    const tasks = ['--tasks', at('panel_1.jsonl')];
    writeFileSync(at('log.jsonl'), '{"task_id":\n');
    const label = ['--label', 'x', ...tasks];
    const log = await cliInline(['ledger', 'import', at('new'), at('log.jsonl'), ...label]);
    expect([log.code, existsSync(at('new'))]).toEqual([2, false]);
    await cliInline(['collect', file, '--ledger', at('l')]);
    const rest = [...tasks, '--seed', 's', '--per-stratum', 'auto', '--out', at('core.json')];
    const freeze = (...more: string[]) => cliInline(['core', 'freeze', '--ledger', at('l'), ...rest, ...more]);
    writeFileSync(at('roster'), 'sim/a\nsim/typo\n');
    for (const [more, who] of [
      [['--phase', 'pilot'], 'any model'],
      [['--roster', at('roster')], 'model sim/typo'],
    ] as const) {
      const run = await freeze(...more);
      expect([run.code, existsSync(at('core.json'))]).toEqual([2, false]);
      expect(run.stderr).toMatch(new RegExp(`MODEL_UNKNOWN: .*the ledgers hold no record of ${who}`));
    }
  });

  it('leaves out every file of a pack when one of them is in the way', async () => {
    await cliInline(['collect', plan(), '--ledger', at('l')]);
    await cliInline(['ledger', 'pack', at('l'), '--out', at('p')]);
    const pack = await cliInline(['ledger', 'pack', at('l'), '--out', at('p'), '--format', 'parquet']);
    expect(pack.code).toBe(2);
    expect(existsSync(at('p/observations.parquet'))).toBe(false);
  });
});

describe('a refusal of the file system', () => {
  const thrown = (code: string) => Object.assign(new Error(`${code}: no`), { code, path: '/x/y', syscall: 'open' });

  it.each([
    ['EROFS', 2, 'read-only'],
    ['EACCES', 2, 'permission denied'],
    ['ENOSPC', 5, 'no space left'],
    ['EIO', 5, 'the device failed'],
    ['EDQUOT', 5, 'the quota is used up'],
    ['EWHATEVER', 1, 'BUG'],
  ])('%s ends with exit code %i and is told in words', async (code, exit, words) => {
    const kept = process.stderr.write;
    const said = ['', ''];
    try {
      for (const json of [0, 1]) {
        process.stderr.write = ((part: string) => (said[json] += part) !== '') as typeof process.stderr.write;
        expect(printError(thrown(code), json === 1)).toBe(exit);
      }
    } finally {
      process.stderr.write = kept;
    }
    expect(said[0]).toContain(words);
    // Room helps where there was none, and nowhere else.
    expect(said[0]!.includes('Make room')).toBe(code === 'ENOSPC');
    const { error } = JSON.parse(said[1]!);
    expect(error).toMatchObject({ exit, hint: expect.any(String) });
    expect(`${error.code} ${error.message}`).toContain(words);
  });
});
