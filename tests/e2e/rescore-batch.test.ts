import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readArrow } from '../../src/io/arrow.js';
import { readParquet } from '../../src/io/parquet.js';
import { cli } from '../support/cli.js';
import { cliInline } from '../support/cli-inline.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
const at = (name: string) => join(folder, name);
const TASKS = ['substitution', 'pairing', 'constraint'];
/** Rows of 2 kB: five parts. */
const ROWS = 42_000;

/** The answer in a row, and what it is, by its number. */
const answerOf = (i: number): [string, string] =>
  i % 7 === 0 ? ['none', 'no_marker'] : [`FINAL_SELECTION: ${'ABCDEFGH'[i % 6]},G,H`, `${'ABCDEFGH'[i % 6]}GH`];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rescore-batch-'));
  writeFileSync(
    at('tasks.jsonl'),
    TASKS.map((family) => JSON.stringify(taskRow(`${family}-1`, { family }))).join('\n'),
  );
  const padding = 'A soft crumb wants some acid. '.repeat(64);
  for (let from = 0; from < ROWS; from += 6000) {
    const rows = Array.from({ length: 6000 }, (_, k) => {
      const i = from + k;
      return `{"model_id":"m${i % 5}","task_id":"${TASKS[i % 3]}-1","response":"${padding}${answerOf(i)[0]}"}\n`;
    });
    appendFileSync(at('big.jsonl'), rows.join(''));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const call = (out: string, ...more: string[]) => [
  'rescore',
  at('big.jsonl'),
  '--tasks',
  at('tasks.jsonl'),
  '--out',
  at(out),
  ...more,
];
const summaryOf = (out: string) => JSON.parse(readFileSync(join(at(out), 'summary.json'), 'utf8'));
const rowFiles = (out: string) => readdirSync(join(at(out), 'rows')).sort();
const bytesOf = (out: string) =>
  rowFiles(out).map((name) => readFileSync(join(at(out), 'rows', name)).toString('base64'));

describe('rescore into a folder', () => {
  it('writes every row with its place, and sums up by model, family and reason in the order of scores', async () => {
    expect(cli(call('one', '--threads', '1'))).toMatchObject({ code: 0, stderr: '' });
    expect(rowFiles('one')).toHaveLength(5);
    let i = 0;
    for (const name of rowFiles('one')) {
      const table = await readParquet(new Uint8Array(readFileSync(join(at('one'), 'rows', name))), name);
      expect(table.names).toEqual([
        'model',
        'task',
        'family',
        'selection',
        'outcome',
        'reason',
        'score_bps',
        'file',
        'line',
        'row',
      ]);
      const column = (key: string) => table.column(key)!;
      for (let k = 0; k < table.rows; k += 1, i += 1) {
        const [, read] = answerOf(i);
        const ok = read !== 'no_marker';
        // Scores of the task are its places in the list of 56, in hundredths; the last is 100.
        const score = { AGH: 2000, BGH: 3500, CGH: 4500, DGH: 5100, EGH: 5400, FGH: 10_000 }[read] ?? null;
        if (i % 997 !== 0 && i > 20) continue;
        expect(
          ['model', 'task', 'family', 'selection', 'outcome', 'reason', 'score_bps', 'file', 'line', 'row'].map(
            (key) => column(key)[k],
          ),
        ).toEqual([
          `m${i % 5}`,
          `${TASKS[i % 3]}-1`,
          TASKS[i % 3],
          ok ? read : null,
          ok ? 'ok' : 'no_marker',
          ok ? null : 'no FINAL_SELECTION in the answer',
          score,
          at('big.jsonl'),
          i + 1,
          null,
        ]);
      }
    }
    expect(i).toBe(ROWS);
    const { results } = summaryOf('one');
    expect(results.rows).toBe(ROWS);
    const means = results.models.map((model: { mean_unreadable_as_zero: number }) => model.mean_unreadable_as_zero);
    expect(means).toEqual([...means].sort((a, b) => b - a));
    const lines = readFileSync(join(at('one'), 'summary.csv'), 'utf8')
      .trim()
      .split('\n');
    expect(lines[0]).toBe('model,model_mean,model_mean_of_readable,family,outcome,reason,rows,mean');
    expect(lines).toHaveLength(1 + 5 * 3 * 2);
    expect(lines.slice(1).reduce((sum, line) => sum + Number(line.split(',').at(-2)), 0)).toBe(ROWS);
  });

  it('goes on after a kill in mid-work, passes over the parts that are done, and ends with the same bytes', async () => {
    const run = spawn(process.execPath, [resolve('dist/cli/main.js'), ...call('killed', '--threads', '2')]);
    const ended = new Promise<NodeJS.Signals | null>((done) => run.on('exit', (_, signal) => done(signal)));
    const parts = at('killed/parts');
    const done = () => (existsSync(parts) ? readdirSync(parts).filter((name) => name.endsWith('.json')).length : 0);
    while (done() === 0 && run.exitCode === null) await setTimeout(2);
    run.kill('SIGKILL');
    expect(await ended).toBe('SIGKILL');
    const before = done();
    expect(before).toBeGreaterThan(0);
    expect(existsSync(at('killed/summary.json'))).toBe(false);
    writeFileSync(join(parts, '.0123456789abcdef01.tmp'), 'half');
    // A file that is not as its record says is made again.
    const first = join(at('killed/rows'), rowFiles('killed').find((name) => name.startsWith('part-'))!);
    writeFileSync(first, 'damaged');
    const again = cli(call('killed', '--threads', '2'));
    expect(again.code).toBe(0);
    const skipped = Number(/(\d+) of them done before/.exec(again.stdout)?.[1] ?? 0);
    expect(skipped).toBeGreaterThanOrEqual(before - 1);
    expect(skipped).toBeLessThan(5);
    expect(bytesOf('killed')).toEqual(bytesOf('one'));
    expect(summaryOf('killed').results_sha256).toBe(summaryOf('one').results_sha256);
    expect(readdirSync(parts).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    const third = await cliInline(call('killed', '--threads', '1'));
    expect(third.stdout).toContain('5 parts, 5 of them done before');
  });

  it('refuses a folder of another batch, and of anything else', async () => {
    const other = await cliInline(call('one', '--threads', '1', '--ignore-unknown'));
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('holds a batch of other tasks, options or another shard'),
    ]);
    mkdirSync(at('full'));
    writeFileSync(at('full/mine.txt'), 'x');
    const full = await cliInline(call('full'));
    expect([full.code, full.stderr]).toEqual([2, expect.stringContaining('is not empty, and holds no batch')]);
  });
});

describe('shards of a batch and their merge', () => {
  it('are separate processes that together write what one call does', async () => {
    const shards = ['s1', 's2', 's3'];
    const runs = shards.map((name, k) => cli(call(name, '--threads', '1', '--shard', `${k + 1}/3`)));
    expect(runs.map(({ code }) => code)).toEqual([0, 0, 0]);
    const merged = await cliInline(['merge', ...['s2', 's3', 's1'].map(at), '--out', at('merged')]);
    expect(merged).toMatchObject({ code: 0, stderr: '' });
    expect(bytesOf('merged')).toEqual(bytesOf('one'));
    const [whole, sum] = [summaryOf('one'), summaryOf('merged')];
    expect(sum.results).toEqual(whole.results);
    expect(sum.inputs).toEqual(whole.inputs);
    expect(readFileSync(at('merged/summary.csv'), 'utf8')).toBe(readFileSync(at('one/summary.csv'), 'utf8'));

    const refused = async (...names: string[]) => {
      const { code, stderr } = await cliInline(['merge', ...names.map(at), '--out', at('never')]);
      expect(code).toBe(2);
      expect(existsSync(at('never'))).toBe(false);
      return stderr;
    };
    expect(await refused('s1', 's3')).toContain('SHARDS_INCOMPLETE: shard 2 of 3 is missing');
    expect(await refused('s1', 's2', 's2')).toContain('is shard 2, as');
    expect(await refused('s1', 's2', 'one')).toContain('is a whole result and no shard');
    await cliInline([
      'rescore',
      'fixtures/responses-small.jsonl',
      '--tasks',
      'fixtures/tasks-small.json',
      '--out',
      at('alien'),
      '--shard',
      '3/3',
    ]);
    expect(await refused('s1', 's2', 'alien')).toContain('is a shard of other inputs or options');
    const part = join(at('s2/rows'), rowFiles('s2')[0]!);
    writeFileSync(part, 'changed');
    expect(await refused('s1', 's2', 's3')).toMatch(/SHARDS_INCOMPLETE.*part 0{5}\d is missing or was changed/);
  });
});

describe('forms of rows, inputs and bad rows', () => {
  const small = (...more: string[]) => [
    'rescore',
    at('in'),
    join(folder, 'in', '*.csv'),
    '--tasks',
    at('tasks.jsonl'),
    ...more,
  ];

  it('writes Parquet, Arrow, CSV and JSON lines of the same rows, from folders and patterns, each file once', async () => {
    mkdirSync(at('in/deep'), { recursive: true });
    writeFileSync(at('in/README.md'), 'no answers');
    writeFileSync(
      at('in/deep/b.jsonl'),
      '{"model":"x, y","task_id":"pairing-1","response":"FINAL_SELECTION: A,B,C"}\nbroken\n',
    );
    writeFileSync(at('in/a.csv'), 'model,task,selection\n"z ""q""",pairing-1,FGH\n');
    const expected = [
      {
        model: 'z "q"',
        task: 'pairing-1',
        family: 'pairing',
        selection: 'FGH',
        outcome: 'ok',
        reason: null,
        score_bps: 10_000,
        file: at('in/a.csv'),
        line: 2,
        row: 1,
      },
      {
        model: 'x, y',
        task: 'pairing-1',
        family: 'pairing',
        selection: 'ABC',
        outcome: 'ok',
        reason: null,
        score_bps: 0,
        file: at('in/deep/b.jsonl'),
        line: 1,
        row: null,
      },
    ];
    for (const format of ['parquet', 'arrow', 'jsonl', 'csv']) {
      const run = await cliInline(small('--out', at(`as-${format}`), '--format', format));
      expect(run.code).toBe(0);
      expect(run.stdout).toContain('1 bad row not scored: JSON_INVALID 1');
      expect(run.stderr).toContain('1 files in these folders are passed over');
      const files = rowFiles(`as-${format}`).map(
        (name) => new Uint8Array(readFileSync(join(at(`as-${format}`), 'rows', name))),
      );
      if (format === 'csv') {
        expect(files.map((bytes) => Buffer.from(bytes).toString().split('\n')[1])).toEqual([
          `"z ""q""",pairing-1,pairing,FGH,ok,,10000,${at('in/a.csv')},2,1`,
          `"x, y",pairing-1,pairing,ABC,ok,,0,${at('in/deep/b.jsonl')},1,`,
        ]);
      } else if (format === 'jsonl') {
        expect(files.map((bytes) => JSON.parse(Buffer.from(bytes).toString()))).toEqual(expected);
      } else {
        const tables = await Promise.all(
          files.map((bytes) => (format === 'arrow' ? readArrow(bytes, 'x') : readParquet(bytes, 'x'))),
        );
        expect(
          tables.map((table) => Object.fromEntries(table.names.map((name) => [name, table.column(name)![0]]))),
        ).toEqual(expected);
      }
    }
    // Another program reads what was written: Python's own csv and json.
    const script = [
      'import csv, json, sys, glob',
      'rows = lambda form: [path for path in sorted(glob.glob(sys.argv[1] + "/as-" + form + "/rows/*"))]',
      'table = [row for path in rows("csv") for row in csv.DictReader(open(path, encoding="utf-8", newline=""))]',
      'lines = [json.loads(line) for path in rows("jsonl") for line in open(path, encoding="utf-8")]',
      'print(json.dumps([table, lines]))',
    ].join('\n');
    const python = spawnSync('python3', ['-c', script, folder], { encoding: 'utf8' });
    if (python.error === undefined) {
      const [table, lines] = JSON.parse(python.stdout);
      expect(lines).toEqual(expected);
      const asText = (value: unknown) => (value === null ? '' : String(value));
      expect(table).toEqual(
        expected.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, asText(value)]))),
      );
    }
    const bad = readdirSync(at('as-csv/bad-rows')).map((name) =>
      JSON.parse(readFileSync(at(`as-csv/bad-rows/${name}`), 'utf8')),
    );
    expect(bad).toEqual([
      { file: at('in/deep/b.jsonl'), line: 2, row: null, code: 'JSON_INVALID', reason: expect.any(String) },
    ]);
    const strict = await cliInline(small('--out', at('strict'), '--strict'));
    expect([strict.code, strict.stderr]).toEqual([2, expect.stringContaining('b.jsonl, line 2')]);
  });

  it('compares parsers and lists near misses beside the rows', async () => {
    writeFileSync(
      at('compare.jsonl'),
      ['I say FINAL_SELECTION: A,B,C', 'FINAL_SELECTION: A,B,C.']
        .map((response) => JSON.stringify({ model: 'm', task_id: 'pairing-1', response }))
        .join('\n'),
    );
    const run = await cliInline([
      'rescore',
      at('compare.jsonl'),
      '--tasks',
      at('tasks.jsonl'),
      '--out',
      at('compared'),
      '--parsers',
      'v2,v3',
    ]);
    expect(run.stdout).toContain('selections that change from v2 to v3: 1 (gained 1)');
    expect(run.stdout).toContain('near misses, counted in no score: 1 (trailing 1)');
    const [name] = readdirSync(at('compared/changes'));
    expect(JSON.parse(readFileSync(at(`compared/changes/${name}`), 'utf8'))).toMatchObject({
      line: 1,
      kind: 'gained',
      before: 'unknown_label',
      after: 'ABC',
    });
    expect(JSON.parse(readFileSync(at('compared/near-misses.json'), 'utf8'))).toMatchObject([
      { kind: 'trailing', model: 'm', rows: 1 },
    ]);
    for (const wrong of ['v2', 'v2,v9', 'v3,v3'])
      expect(
        (
          await cliInline([
            'rescore',
            at('compare.jsonl'),
            '--tasks',
            at('tasks.jsonl'),
            '--out',
            at('x'),
            '--parsers',
            wrong,
          ])
        ).stderr,
      ).toContain('USAGE: --parsers is');
  });
});
