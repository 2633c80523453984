import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.js';
import { createEngine } from '../../src/engine/node.js';
import { inferencePlan } from '../../src/inference/plan.js';
import { readArrow } from '../../src/io/arrow.js';
import { readParquet } from '../../src/io/parquet.js';
import { buildRelease, writeRelease } from '../../src/release/build.js';
import { gatherSources } from '../../src/release/gather.js';
import { illustrationData } from '../../src/release/illustration-data.js';
import { openRelease } from '../../src/release/open/open-release.js';
import { differenceText } from '../../src/release/proofs/differences.js';
import { verifyRelease } from '../../src/release/verify.js';
import { cliInline } from '../support/cli-inline.js';
import { HALVES, ODD_TEXTS } from '../support/odd-texts.js';

const TASKS = 'fixtures/tasks-small.json';
/** Ids and names that are told apart by their characters alone. */
const MODELS: readonly (readonly [string, string])[] = [
  ['\ufeffmark', '\ufeffMark first'],
  ['mark', 'Mark first'],
  ['caf\u00e9', 'composed \u202e reversed'],
  ['cafe\u0301', 'decomposed \u2066isolated'],
  ['nul\u0000byte', 'nul\u0000byte'],
  ['"quoted", <b>\r\nsecond line', 'a\r\nb|c,d"e'],
  ['\uffff\ufdd0\u{10ffff}', '\uffff noncharacters \u{1fffe}'],
  [`long-${'x\u{1f373}'.repeat(300)}`, 'y'.repeat(900)],
];

let dir: string;
let engine: Engine;
const at = (name: string) => join(dir, name);
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'unicode-release-'));
  engine = await createEngine({ backend: 'wasm' });
});
afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Row {
  readonly task_id: string;
  readonly panel: string;
  readonly response: string;
}

/** Answers of every model, each with odd characters in front of what the parser reads, or around it. */
function rows(change: (answer: string) => string = (answer) => answer) {
  const all = readFileSync('fixtures/responses-small.jsonl', 'utf8').trimEnd().split('\n');
  const first = all.map((line) => JSON.parse(line) as Row & { model_id: string }).slice(0, 36);
  return MODELS.flatMap(([model_id], m) =>
    first.map(({ task_id, panel, response }, i) => {
      const odd = ODD_TEXTS[(i + 5 * m) % ODD_TEXTS.length]!;
      return { model_id, task_id, panel, status: 'completed', response: change(`${odd}\n${response}\n${odd}`) };
    }),
  );
}

const lines = (items: readonly object[]) => `${items.map((item) => JSON.stringify(item)).join('\n')}\n`;
const ok = async (...args: string[]) => {
  const { code, stderr } = await cliInline(args);
  expect([code, stderr], args.join(' ')).toEqual([0, '']);
};

describe('a release of odd but honest texts', () => {
  it('passes its own verification, every text as it was, in lines, columns and views', async () => {
    writeFileSync(at('answers.jsonl'), lines(rows()));
    const roster = MODELS.map(([model_id, model_name]) => ({ model_id, model_name }));
    writeFileSync(at('roster.json'), JSON.stringify({ models: roster }));
    await ok('ledger', 'import', at('ledger'), at('answers.jsonl'), '--tasks', TASKS, '--label', '\ufefflabel');
    await ok('ledger', 'verify', at('ledger'), '--tasks', TASKS);
    const { sources } = await gatherSources({
      tasks: [TASKS],
      ledgers: [at('ledger')],
      responses: [],
      roster: at('roster.json'),
      plan: inferencePlan({ draws: 200, flips: 300 }),
      title: { benchmark: '\ufeffOdd \u202etexts', track: 'Tasks\u0000', claim: '\uffff', licence: '"none"' },
    });
    const { files } = await buildRelease({ sources, engine, illustrate: illustrationData });
    writeRelease({ dir: at('release'), files, force: false });
    const drawn = ({ file, at: place }: { file: string; at: string }) =>
      /^figures\/.*\.(?:svg|pdf|png)$/.test(file) && place === 'the file';
    const { differences, checked } = await verifyRelease({ dir: at('release'), engine, illustrate: illustrationData });
    expect(differences.filter((difference) => !drawn(difference)).map(differenceText)).toEqual([]);
    expect(checked).toContainEqual({ what: 'answers parsed and scored again', count: rows().length });

    const given = new Map(rows().map((row) => [`${row.model_id} ${row.task_id}`, row.response]));
    const observed = readFileSync(at('release/observations.jsonl'), 'utf8').trimEnd().split('\n');
    expect(observed).toHaveLength(given.size);
    for (const line of observed) {
      const { response } = JSON.parse(line);
      expect(response.generation.answer).toBe(given.get(`${response.key.model_id} ${response.task_id}`));
    }
    for (const table of [
      await readArrow(readFileSync(at('release/observations.arrow')), 'a'),
      await readParquet(readFileSync(at('release/observations.parquet')), 'p'),
    ]) {
      const [models, tasks, answers] = ['model', 'task', 'answer'].map((name) => Array.from(table.column(name)!));
      answers!.forEach((answer, i) => {
        expect(answer).toBe(given.get(`${models![i]} ${tasks![i]}`));
      });
    }
    const scored: string[] = [];
    for (const end of ['jsonl', 'arrow', 'parquet']) {
      const { stdout } = await cliInline(['rescore', at(`release/observations.${end}`), '--tasks', TASKS]);
      scored.push(stdout.replaceAll(end, 'file'));
    }
    const [inLines, ...inColumns] = scored;
    expect(inLines).toContain(`${given.size} rows scored`);
    expect(inColumns).toEqual([inLines, inLines]);
    const { leaderboard, benchmark } = await openRelease(at('release'));
    expect(benchmark).toBe('\ufeffOdd \u202etexts');
    expect(leaderboard.models.map(({ modelId, name }) => [modelId, name])).toEqual(MODELS);
  });

  it.each(HALVES)(
    'is refused at the gate, with line or place, where a text holds half of a surrogate pair',
    async (half) => {
      const [first, ...rest] = rows();
      writeFileSync(at('half.jsonl'), lines([{ ...first, model_id: `m${half}` }, ...rest]));
      const id = await cliInline([
        'ledger',
        'import',
        at('half-id'),
        at('half.jsonl'),
        '--tasks',
        TASKS,
        '--label',
        'l',
      ]);
      expect([id.code, id.stderr]).toEqual([
        2,
        expect.stringMatching(/half\.jsonl, line 1: .*half of a surrogate pair/),
      ]);
      writeFileSync(at('half.json'), JSON.stringify({ models: [{ model_id: 'm', model_name: `n${half}` }] }));
      const roster = [
        'release',
        'build',
        '--tasks',
        TASKS,
        '--responses',
        at('answers.jsonl'),
        '--roster',
        at('half.json'),
      ];
      const name = await cliInline([...roster, '--out', at('half')]);
      expect([name.code, name.stderr]).toEqual([2, expect.stringMatching(/half\.json: .*half of a surrogate pair/)]);
    },
  );

  it('is entered with the answer that holds half of a surrogate pair as the one that cannot be read', async () => {
    const [first, ...rest] = rows();
    writeFileSync(at('half.jsonl'), lines([{ ...first, response: `\ud800 ${first!.response}` }, ...rest]));
    const entered = await cliInline([
      'ledger',
      'import',
      at('half-answer'),
      at('half.jsonl'),
      '--tasks',
      TASKS,
      '--label',
      'l',
    ]);
    const written = '288 records written, 0 already there, 287 parseable\n';
    expect([entered.code, entered.stdout, entered.stderr]).toEqual([0, written, '']);
  });
});
