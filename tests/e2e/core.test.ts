import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matrixFromAnswers } from '../../src/core/matrix-answers.js';
import { readArrow } from '../../src/io/arrow.js';
import { readAnswers } from '../../src/responses/answer-file.js';
import { matrixToCsv } from '../../src/scores/matrix-file.js';
import { coreTasks } from '../../src/tasks/coreplan.js';
import { readTaskFiles, verifyCorePlan } from '../../src/tasks/task-files.js';
import { cliInline } from '../support/cli-inline.js';

const TASKS = 'fixtures/tasks-small.json';
const ANSWERS = 'fixtures/responses-small.jsonl';
let dir: string;
let folder: string;

const freeze = (...more: string[]) =>
  cliInline([
    ...['core', 'freeze', '--ledger', dir, '--tasks', TASKS, '--seed', 'e2e'],
    ...['--allow-unpinned', '--out', join(folder, 'core.json'), ...more],
  ]);
const matrix = (out: string, ...more: string[]) =>
  cliInline([
    ...['core', 'matrix', '--core', join(folder, 'core.json'), '--ledger', dir],
    ...['--tasks', TASKS, '--out', out, ...more],
  ]);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'core-'));
  dir = join(folder, 'ledger');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the path from a log of answers to a score matrix', () => {
  it('calls a size past what can be counted too large, and one that is none no whole number', async () => {
    const past = await freeze('--per-stratum', '999999999999999999');
    expect([past.code, past.stderr]).toEqual([2, expect.stringContaining('At most 2147483647 is possible.')]);
    for (const size of ['0', '1.5', 'many', '-3']) {
      const { code, stderr } = await freeze(`--per-stratum=${size}`);
      expect([code, stderr]).toEqual([2, expect.stringContaining('of at least 1, or auto, is expected.')]);
    }
  });

  it('imports a log, freezes a core without scores, makes the matrix, explains shortfalls', async () => {
    const imported = await cliInline(['ledger', 'import', dir, ANSWERS, '--tasks', TASKS, '--label', 'small']);
    expect(imported).toMatchObject({
      code: 0,
      stdout: '216 records written, 0 already there, 216 parseable\n',
    });

    const refused = await cliInline([
      ...['core', 'freeze', '--ledger', dir, '--tasks', TASKS, '--seed', 'e2e'],
      ...['--per-stratum', '4', '--out', join(folder, 'core.json')],
    ]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/ROUTE_UNPINNED: not rank-eligible: simulated\/skill-00/);

    const short = await freeze('--per-stratum', '7');
    expect(short.code).toBe(3);
    expect(short.stderr).toMatch(/panel_1 substitution: 6 of 6 tasks are complete, 7 wanted/);

    const frozen = await freeze('--per-stratum', '4', '--validity', join(folder, 'validity.arrow'));
    expect(frozen.code).toBe(0);
    const plan = verifyCorePlan(join(folder, 'core.json'));
    expect(plan.ids).toHaveLength(24);
    expect((await freeze('--per-stratum', '4')).stdout).toMatch(/unchanged/);
    const bits = await readArrow(readFileSync(join(folder, 'validity.arrow')), 'v');
    expect(bits.rows).toBe(216);
    expect(bits.names).toEqual([...['model', 'task', 'panel', 'family', 'phase', 'completed', 'parseable', 'source']]);

    const csv = join(folder, 'scores.csv');
    expect((await matrix(csv)).code).toBe(0);
    const files = readTaskFiles([TASKS]);
    const direct = matrixFromAnswers({
      tasks: coreTasks(plan, files),
      answers: readAnswers(ANSWERS),
      roster: JSON.parse(readFileSync(join(folder, 'core.json'), 'utf8')).common_core.ranked_model_ids,
    });
    expect(readFileSync(csv, 'utf8')).toBe(matrixToCsv(direct.matrix!));

    const gaps = 'fixtures/responses-small-gaps.jsonl';
    expect((await cliInline(['ledger', 'import', dir, gaps, '--tasks', TASKS, '--label', 'gaps'])).code).toBe(0);
    expect((await matrix(csv, '--force')).code).toBe(0);
    const explained = await freeze('--per-stratum', 'auto', '--force', '--explain');
    expect(explained.code).toBe(0);
    expect(explained.stdout).toMatch(/costs \d+, \d+ alone: fb-/);
    expect(explained.stdout).toMatch(/smallest_pool/);
  });

  it('reports at the freeze that scores were looked at before', async () => {
    const looked = await cliInline(['ledger', 'status', dir, '--live-scores', '--tasks', TASKS]);
    expect(looked.code).toBe(0);
    expect(looked.stdout).toMatch(/mean so far/);
    expect((await cliInline(['ledger', 'status', dir])).stdout).toMatch(/scores_inspected: 1 times/);
    expect((await cliInline(['ledger', 'status', dir])).stdout).not.toMatch(/mean/);
    const frozen = await freeze('--per-stratum', 'auto', '--force', '--json');
    expect(frozen.code).toBe(0);
    const plan = JSON.parse(readFileSync(join(folder, 'core.json'), 'utf8'));
    expect(plan).toMatchObject({
      scores_inspected: 1,
      status: 'frozen_after_scores_were_inspected',
    });
  });

  it('refuses a plan that was edited after it was frozen', async () => {
    const path = join(folder, 'core.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"scores_inspected":1,"', '"scores_inspected":0,"'));
    const edited = await matrix(join(folder, 'edited.csv'));
    expect(edited.code).toBe(4);
    expect(edited.stderr).toMatch(/artifact_sha256/);
  });
});
