import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson, sealed } from '../../src/io/canonical.js';
import { entryOf, type JournalEvent } from '../../src/ledger/journal-event.js';
import { journalText } from '../../src/ledger/journal-line.js';
import type { ResponseRecord } from '../../src/ledger/record.js';
import { type CliRun, cli } from '../support/cli.js';
import { cliInline } from '../support/cli-inline.js';
import { openLedger } from './support.js';

let folder: string;
let plan: string;
const at = (...names: string[]) => join(folder, ...names);
const SHARDS = ['1', '2'].map((index) => `shard-${index}`);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forged-shards-'));
  plan = at('plan.yaml');
  const demo = readFileSync('fixtures/plans/demo.yaml', 'utf8').replace(/.*panel-2.json.*\n/, '');
  writeFileSync(plan, demo.replace('path: panel-1.json', `path: ${resolve('fixtures/tasks-small.json')}`));
  for (const [i, shard] of SHARDS.entries()) {
    expect((await cliInline(['collect', plan, '--shard', `${i + 1}/2`, '--ledger', at('kept', shard)])).code).toBe(0);
    cpSync(at('kept', shard), at('aside', shard), { recursive: true });
    const aside = ['ledger', 'quarantine', at('aside', shard), '--model', 'simulated/skill-60', '--reason', 'test'];
    expect((await cliInline(aside)).code).toBe(0);
  }
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Both shards anew, as they were collected or with a block of each put aside. */
const fresh = (from: 'kept' | 'aside' = 'kept') => {
  rmSync(at('out'), { recursive: true, force: true });
  for (const shard of SHARDS) {
    rmSync(at(shard), { recursive: true, force: true });
    cpSync(at(from, shard), at(shard), { recursive: true });
  }
};
beforeEach(() => fresh());

const merge = (...more: string[]): Promise<CliRun> =>
  cliInline(['ledger', 'merge', ...SHARDS.map((shard) => at(shard)), '--out', at('out'), ...more]);

/** How a merge is refused, which writes nothing. */
async function refusal(code: number, ...more: string[]): Promise<string> {
  const run = await merge(...more);
  expect([run.code, existsSync(at('out'))]).toEqual([code, false]);
  return run.stderr;
}

const journal = (shard: string) => at(shard, 'attempts.jsonl');
/** Changes events of a journal, with every digest and the chain made anew. */
function forgeEvents(shard: string, change: (event: JournalEvent) => JournalEvent): void {
  const lines = readFileSync(journal(shard), 'utf8').trim().split('\n');
  writeFileSync(journal(shard), journalText(lines.map((line) => change(JSON.parse(line).event))));
}

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** Changes a record, with its digest, its name, its entry in the journal and the chain made anew. */
function forgeRecord(shard: string, change: (record: ResponseRecord) => object): void {
  const [path] = filesIn(at(shard, 'records'));
  const old = basename(path!).slice(65, 129);
  const record = JSON.parse(readFileSync(path!, 'utf8')) as ResponseRecord;
  const forged = sealed({ ...record, ...change(record) }) as ResponseRecord;
  unlinkSync(path!);
  writeFileSync(join(dirname(path!), `${forged.cell}-${forged.artifact_sha256}.json`), `${canonicalJson(forged)}\n`);
  forgeEvents(shard, (event) =>
    event.type === 'record_written' && event.record_sha256 === old
      ? ({ type: event.type, ...entryOf(forged), at: event.at } as JournalEvent)
      : event,
  );
}

const frozen = (shard: string) => at(shard, readdirSync(at(shard)).find((name) => name.startsWith('manifest-'))!);
const raised = (event: JournalEvent): JournalEvent =>
  event.type === 'shard_declared' ? { ...event, cap_micros: 1000, share_micros: 500 } : event;

describe('shards whose every digest was made anew', () => {
  it.each([
    [
      'a cost',
      ({ generation, budget }: ResponseRecord) => ({
        generation: { ...generation, cost_micros: 7 },
        budget: { ...budget, actual_micros: 7 },
      }),
      /books 7 micro-USD, its journal lines state 0/,
    ],
    [
      'a cost in one of its places',
      ({ generation }: ResponseRecord) => ({ generation: { ...generation, cost_micros: 7 } }),
      /states a cost of 7 micro-USD and books 0/,
    ],
    [
      'what was set aside',
      ({ budget }: ResponseRecord) => ({ budget: { ...budget, reserved_micros: 9 } }),
      /says that 9 micro-USD were set aside, its journal lines say 0/,
    ],
  ])('are refused where a record states other money than its journal lines: %s', async (_, change, words) => {
    forgeRecord('shard-1', change);
    expect(await refusal(4)).toMatch(words);
    expect((await cliInline(['ledger', 'verify', at('shard-1')])).code).toBe(4);
  });

  it('are refused where their caps are not those of one plan, of the plan that lies in them, or that plan is gone', async () => {
    forgeEvents('shard-2', raised);
    expect(await refusal(4)).toMatch(/LEDGER_DAMAGED: .*shard-2: says that the plan has a cap of 1000 micro-USD/);
    forgeEvents('shard-1', raised);
    expect(await refusal(4)).toMatch(/says that its plan has a cap of 1000 micro-USD and null tokens; it has 0/);
    fresh();
    unlinkSync(frozen('shard-2'));
    expect(await refusal(4)).toMatch(/manifest-\w+\.json: is missing: the plan/);
  });

  it('are refused where their money adds up past what can be counted', async () => {
    const lines = readFileSync(journal('shard-1'), 'utf8').trim().split('\n');
    const nothing = { breaks: 0, lost_lines: 0, lost_events: [], lost_records: [], unplaced_records: [] };
    const money = { cost_micros: Number.MAX_SAFE_INTEGER, uncertain_micros: 0, tokens: 0 };
    const marks = { journal_sha256: '0'.repeat(64), at: '1970-01-01T00:00:00.000Z' };
    const salvaged: JournalEvent = { type: 'salvaged', ...marks, ...nothing, ...money };
    const events = lines.map((line) => JSON.parse(line).event as JournalEvent);
    writeFileSync(journal('shard-1'), journalText([...events, salvaged, salvaged]));
    expect(await refusal(4)).toMatch(/LEDGER_DAMAGED: .*cost_micros adds up to more than 9007199254740991/);
  });
});

describe('a shard that something else stands in', () => {
  const record = () => filesIn(at('shard-1', 'quarantine', 'records'))[0]!;
  it.each([
    ['a link in the place of a record that was put aside', record],
    ['a link in the place of the folder of such records', () => at('shard-1', 'quarantine', 'records')],
  ])('is refused, and nothing is read through it: %s', async (_, path) => {
    fresh('aside');
    expect((await merge()).code).toBe(0);
    fresh('aside');
    rmSync(at('elsewhere'), { recursive: true, force: true });
    const place = path();
    renameSync(place, at('elsewhere'));
    symlinkSync(at('elsewhere'), place);
    expect(await refusal(4)).toMatch(/is a symbolic link; a store holds regular files only/);
  });

  it('is refused in place of waiting for a pipe that nobody writes', () => {
    fresh('aside');
    const pipe = record();
    unlinkSync(pipe);
    spawnSync('mkfifo', [pipe]);
    const program = resolve('dist/cli/main.js');
    for (const args of [
      ['verify', at('shard-1')],
      ['merge', ...SHARDS.map((shard) => at(shard)), '--out', at('out')],
    ]) {
      const run = spawnSync(process.execPath, [program, 'ledger', ...args], { encoding: 'utf8', timeout: 30_000 });
      expect(run.status).toBe(4);
      expect(run.stdout + run.stderr).toContain('is a named pipe; a store holds regular files only');
    }
  });
});

describe('a shard that is still collected', () => {
  it('is refused while somebody writes to it, and joined once it was given back', async () => {
    const writer = await openLedger(at('shard-1'), {});
    const run = cli(['ledger', 'merge', ...SHARDS.map((shard) => at(shard)), '--out', at('out')]);
    await writer.close();
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/LEDGER_LOCKED: .*shard-1\/lock/);
    expect((await merge()).code).toBe(0);
    expect(readdirSync(at('shard-1'))).not.toContain('lock');
  });

  it('is not asked again by whoever joined the others: its cells would be paid twice, past the cap', async () => {
    const part = ['ledger', 'merge', at('shard-1'), '--out', at('out'), '--partial'];
    expect((await cliInline(part)).code).toBe(0);
    const run = await cliInline(['collect', plan, '--ledger', at('out')]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/SHARDS_DIFFER: .*was joined without shard 2 of 2, whose cells are asked elsewhere/);
    const whole = at('whole');
    expect((await cliInline(['ledger', 'merge', at('out'), at('shard-2'), '--out', whole])).code).toBe(0);
    expect((await cliInline(['collect', plan, '--ledger', whole])).code).toBe(0);
  });
});

describe('a merge that is stopped', () => {
  it('leaves nothing where its ledger is to stand, and is called again', async () => {
    mkdirSync(at('small'));
    const args = ['ledger', 'merge', ...SHARDS.map((shard) => at(shard)), '--out', at('small', 'out')];
    const program = [process.execPath, resolve('dist/cli/main.js'), ...args];
    const full = spawnSync('bash', ['-c', 'ulimit -f 40; exec "$@"', 'bash', ...program], { encoding: 'utf8' });
    expect(full.status).toBe(5);
    expect(full.stderr).toMatch(/FILE_SYSTEM: .*EFBIG/);
    expect(readdirSync(at('small'))).toEqual([]);
    expect(cli(args).code).toBe(0);
    expect((await cliInline(['ledger', 'verify', at('small', 'out')])).code).toBe(0);
  });
});
