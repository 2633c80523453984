import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PyValue, pyCanonical, pySealed, pyStored } from '../../src/io/pyjson.js';
import { parserContract } from '../../src/responses/parser-contract.js';
import {
  reportJsonSchema,
  reportSchema,
  responseRowJsonSchema,
  responseRowSchema,
} from '../../src/responses/report-schema.js';
import { scoreFiles, verifyReport } from '../../src/responses/score-files.js';
import type { FlavourError } from '../../src/util/error.js';
import { noShared, shared } from '../support/shared.js';
import { taskRow } from '../tasks/support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const families = ['substitution', 'pairing', 'constraint'];
const tasks = () => file('tasks.jsonl', lines(families.map((family) => taskRow(family, { family }))));
const answer = (task_id: string, response: string) => ({ task_id, response });
const best = (task_id: string) => answer(task_id, 'FINAL_SELECTION: F,G,H');

function score(rows: object[], options: { expect?: string; model?: string } = {}) {
  return scoreFiles({
    responses: file('responses.jsonl', lines(rows)),
    tasks: [tasks()],
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(options.expect === undefined ? {} : { expectedTaskSetSha256: options.expect }),
  });
}

function failure(run: () => unknown): FlavourError {
  try {
    run();
  } catch (error) {
    return error as FlavourError;
  }
  throw new Error('accepted');
}

describe('laboratory reports', () => {
  const complete = [best('substitution'), best('pairing'), answer('constraint', 'FINAL_SELECTION: A,B,D')];

  it('withhold the score on a task set that no digest binds', () => {
    const { report } = score(complete);
    expect(report).toMatchObject({ comparable: false, score: null });
    expect(report.diagnostic).toBeCloseTo(67, 12);
    expect(report.document.task_set_binding).toBe('none');
    const bound = score(complete, { expect: report.document.task_set_semantic_sha256 as string });
    expect(bound.report.comparable).toBe(true);
    expect(bound.report.score).toBeCloseTo(67, 12);
    expect(score(complete, { expect: '0'.repeat(64) }).report.comparable).toBe(false);
  });

  it('name the parser, count inline reasoning, and are verified with the parser that they name', () => {
    const thought = (task: string) => answer(task, '<think>\nFINAL_SELECTION: A,B,C\n</think>\nFINAL_SELECTION: F,G,H');
    const rows = [best('substitution'), thought('pairing'), answer('constraint', '<think>\nFINAL_SELECTION: F,G,H')];
    const responses = file('responses.jsonl', lines(rows));
    const of = (parser?: 'v3') => scoreFiles({ responses, tasks: [tasks()], ...(parser ? { parser } : {}) });
    const now = of();
    expect(now.submission.unanswered).toMatchObject([{ task: 'constraint', reason: 'open_reasoning', line: 3 }]);
    expect(now.report.document).toMatchObject({
      parser: 'flavourbench-selection-set-parser-v4',
      inline_reasoning_answers: 2,
    });
    const before = of('v3');
    expect(before.submission.unanswered).toMatchObject([{ task: 'pairing', reason: 'contradictory' }]);
    expect(before.report.document.parser).toBe('flavourbench-selection-set-parser-v3');
    expect(before.report.document.inline_reasoning_answers).toBeUndefined();
    expect(before.report.document.parser_sha256).toBe(parserContract('v3').sha256);
    const { artifact_sha256: _, parser_sha256: __, ...older } = before.report.document;
    const documents = [now.report.document, before.report.document, pySealed(older)];
    for (const document of documents) {
      const path = file('report.json', pyStored(document));
      expect(verifyReport({ report: path, tasks: [tasks()], responses }).rescored).toBe(true);
    }
    const foreign = file('report.json', pyStored(pySealed({ ...older, parser_sha256: 'f'.repeat(64) })));
    expect(() => verifyReport({ report: foreign })).toThrow(
      expect.objectContaining({ code: 'DIGEST_MISMATCH', exit: 4, where: { file: foreign, path: 'parser_sha256' } }),
    );
  });

  it('list what is missing and what is invalid with its reason and line', () => {
    const { submission, report } = score([
      answer('pairing', 'no marker'),
      { task_id: 'constraint', status: 'failed', response: 'FINAL_SELECTION: A,B,C' },
    ]);
    expect(submission.unanswered).toMatchObject([
      { task: 'substitution', reason: 'missing' },
      { task: 'pairing', reason: 'no_marker', line: 1 },
      { task: 'constraint', reason: 'failed_status', line: 2 },
    ]);
    expect(report.coverage).toEqual({ tasks: 3, submitted: 2, valid: 0, missing: 1, invalid: 2 });
    expect(report.diagnostic).toBeNull();
  });

  it('count a broken row as invalid and still digest it', () => {
    const responses = file(
      'odd.jsonl',
      '{"task_id":"pairing","response":"\\ud83c"}\n{"task_id":"constraint","x":NaN}\n',
    );
    const { submission, report } = scoreFiles({ responses, tasks: [tasks()] });
    expect(submission.unanswered.map(({ reason, defect }) => [reason, defect])).toEqual([
      ['missing', undefined],
      ['not_text', 'the answer holds a lone surrogate'],
      ['not_text', 'the row holds NaN or Infinity, which is not JSON'],
    ]);
    expect(report.document.response_set_semantic_sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('are refused for a second answer and an unknown task, with their lines', () => {
    expect(failure(() => score([best('pairing'), best('pairing')]))).toMatchObject({
      code: 'CELL_DUPLICATE',
      exit: 2,
      where: { line: 2 },
    });
    expect(failure(() => score([best('pairing'), best('other')])).message).toContain(
      'line 2: task "other" is in no task file',
    );
  });

  it('may be of one model of several; a name that is not there is refused', () => {
    const rows = ['a', 'b'].flatMap((model) => complete.map((row) => ({ ...row, model })));
    expect(score(rows, { model: 'b' }).report.coverage.valid).toBe(3);
    expect(failure(() => score(rows, { model: 'c' })).message).toContain('there are "a", "b"');
  });

  it('are refused for task sets without all three families, and for inference where anchors repeat', () => {
    const responses = file('r.jsonl', '');
    const two = file('two.jsonl', lines([taskRow('a'), taskRow('b', { family: 'pairing' })]));
    expect(failure(() => scoreFiles({ responses, tasks: [two] })).code).toBe('STRATUM_EMPTY');
    const shared = file(
      'shared.jsonl',
      lines(families.map((family) => taskRow(family, { family, anchor_ingredient: 'one' }))),
    );
    const inference = { resamples: 10, flips: 10, seed: 1n };
    const all = file('all.jsonl', lines(families.map(best)));
    expect(failure(() => scoreFiles({ responses: all, tasks: [shared], inference })).code).toBe('CLUSTER_DUPLICATE');
  });
});

describe('verification of reports', () => {
  const inputs = () => {
    const responses = file('v.jsonl', lines(families.map(best)));
    const { report } = scoreFiles({
      responses,
      tasks: [tasks()],
      inference: { resamples: 50, flips: 60, seed: 9n },
    });
    return { responses, document: report.document };
  };
  const saved = (document: object) => file('report.json', pyStored(document as PyValue));

  it('accepts a report, and scores it again from its inputs', () => {
    const { responses, document } = inputs();
    const report = saved(document);
    expect(verifyReport({ report }).rescored).toBe(false);
    expect(verifyReport({ report, tasks: [tasks()], responses, seed: 9n }).rescored).toBe(true);
    expect(failure(() => verifyReport({ report, tasks: [tasks()], responses, seed: 8n })).message).toContain(
      'inference',
    );
  });

  it.each<[string, (document: Record<string, PyValue>) => void, RegExp]>([
    [
      'coverage',
      (d) => {
        (d.coverage as Record<string, PyValue>).valid = 2;
      },
      /coverage\.valid: expected 3, found 2/,
    ],
    [
      'a family mean',
      (d) => {
        (d.families as Record<string, PyValue>[])[1]!.score = 12;
      },
      /families\[1\]\.score/,
    ],
    [
      'the score',
      (d) => {
        d.flavourbench_score = 50;
      },
      /flavourbench_score: expected null, found 50/,
    ],
    [
      'a row',
      (d) => {
        (d.per_task as Record<string, PyValue>[])[0]!.score_bps = 10;
      },
      /per_task\[0\]\.score/,
    ],
    [
      'comparability',
      (d) => {
        d.comparable = true;
      },
      /comparable: expected false, found true/,
    ],
    [
      'the schema',
      (d) => {
        d.schema_version = 'x';
      },
      /schema_version/,
    ],
  ])('finds a forged %s although the digest was made anew', (_, change, words) => {
    const document = { ...inputs().document } as Record<string, PyValue>;
    change(document);
    const error = failure(() => verifyReport({ report: saved(pySealed(document)) }));
    expect(error).toMatchObject({ code: 'VERIFY_FAILED', exit: 4 });
    expect(error.message).toMatch(words);
  });

  it('finds a consistent but made-up report by its inputs', () => {
    const { document } = inputs();
    const other = file('w.jsonl', lines(families.map((id) => answer(id, 'FINAL_SELECTION: A,B,C'))));
    const error = failure(() =>
      verifyReport({ report: saved(document), tasks: [tasks()], responses: other, seed: 9n }),
    );
    expect(error).toMatchObject({ code: 'VERIFY_FAILED', exit: 4 });
  });

  it('names a broken digest first', () => {
    const { document } = inputs();
    expect(failure(() => verifyReport({ report: saved({ ...document, note: 'x' }) })).message).toContain(
      'artifact_sha256 is',
    );
  });
});

describe.skipIf(noShared)('the recorded reports', () => {
  const lab = (name: string) => shared(`golden/lab/${name}`);
  const text = (name: string) => readFileSync(lab(name), 'utf8');
  const run = (responses: string, inference = false) =>
    scoreFiles({
      responses: lab(responses),
      tasks: [lab('tasks-534.jsonl')],
      parser: 'v3',
      ...(inference ? { inference: { resamples: 50_000, flips: 100_000, seed: 20260821n } } : {}),
    }).report;

  it('are reproduced byte for byte, with and without inference', () => {
    const plain = run('responses-534-valid.jsonl');
    expect(plain.score).toBe(51.346179775280895);
    expect(pyStored(plain.document)).toBe(text('report-534-valid-noinf.json'));
    const rows = plain.perTask.map((row) => `${pyCanonical(row)}\n`).join('');
    expect(rows).toBe(text('per-task-534-valid.jsonl'));
    const full = run('responses-534-valid.jsonl', true);
    expect(full.interval).toEqual([48.801268258426965, 53.883859550561795]);
    expect(pyStored(full.document)).toBe(text('report-534-valid.json'));
  });

  it('are reproduced for a partial submission: 6 missing, 40 invalid, no score', () => {
    const partial = run('responses-partial.jsonl', true);
    expect(partial).toMatchObject({
      comparable: false,
      score: null,
      diagnostic: 51.942910282850484,
    });
    expect(partial.coverage).toMatchObject({ missing: 6, invalid: 40 });
    expect(pyStored(partial.document)).toBe(text('report-partial.json'));
  });

  it('pass verification, and their rows follow the schemas', () => {
    for (const name of ['report-534-valid.json', 'report-534-valid-noinf.json', 'report-partial.json']) {
      expect(verifyReport({ report: lab(name) }).document.per_task).toHaveLength(534);
    }
    expect(reportSchema.safeParse({}).success).toBe(false);
    expect(reportJsonSchema()).toMatchObject({ required: expect.arrayContaining(['per_task']) });
    expect(responseRowJsonSchema()).toMatchObject({ required: ['task_id'] });
    for (const line of text('responses-partial.jsonl').trim().split('\n')) {
      expect(responseRowSchema.safeParse(JSON.parse(line)).success).toBe(true);
    }
  });
});
