import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canonicalDigest, sealed } from '../../src/io/canonical.js';
import { PORTFOLIOS, type Task } from '../../src/tasks/task.js';
import { readTaskSet } from '../../src/tasks/task-files.js';
import { sealedTasks, sealPrimary } from '../../src/transfer/primary-seal.js';
import { type Seal, tasksContent } from '../../src/transfer/seal-schema.js';
import { assertOwnTasks, openSecondary, primaryTasks } from '../../src/transfer/secondary-stage.js';
import { assertPlanFirst } from '../../src/transfer/stage-times.js';
import { freezeStudy } from '../../src/transfer/study-plan.js';
import type { StudyPlan } from '../../src/transfer/study-plan-schema.js';
import { freshFolder } from '../support/folders.js';

const digest = (letter: string) => letter.repeat(64);
const all = readTaskSet('fixtures/tasks-small.json').tasks;
const [primary, secondary] = [all.slice(0, 12), all.slice(12)];
const AT = '2026-08-20T00:00:00.000Z';

const planOf = (secondaryTasks: string | null): StudyPlan =>
  freezeStudy({
    ...{ base: `some/base@${'a'.repeat(40)}`, seeds: [1], data: new Map(), primaryTasks: digest('b'), secondaryTasks },
    ...{ primaryContent: tasksContent(sealedTasks(primary)), rng: 'philox' },
    ...{ alpha: 0.05, draws: 100, flips: 100, threshold: 3, at: AT },
  });
const plan = planOf(digest('c'));
const sealOf = ({ artifact_sha256 }: StudyPlan): Seal =>
  sealPrimary({
    ...{ protocolSha256: artifact_sha256, analysisSha256: digest('d'), resultsSha256: digest('e') },
    ...{ tasks: primary, manifests: [], at: '2026-08-21T00:00:00.000Z' },
  });
const folder = freshFolder();
const written = (seal: object): string => {
  const path = join(folder, 'seal.json');
  writeFileSync(path, JSON.stringify(seal));
  return path;
};
const refused = (code: string, exit = 4, message = /./) =>
  expect.objectContaining({ code, exit, message: expect.stringMatching(message) });

describe('the secondary stage', () => {
  it('opens with the plan that was sealed', () => {
    const seal = sealOf(plan);
    expect(openSecondary({ plan, seal: written(seal) })).toEqual({ plan, seal });
  });

  it('stays closed without plan or seal, with another plan, and with one that gives both stages one file', () => {
    const seal = written(sealOf(plan));
    expect(() => openSecondary({ plan, seal: undefined })).toThrow(refused('SEAL_MISSING', 2));
    expect(() => openSecondary({ plan: undefined, seal })).toThrow(refused('PLAN_MISSING', 2));
    expect(() => openSecondary({ plan: planOf(null), seal })).toThrow(
      refused('DIGEST_MISMATCH', 4, /was sealed; this run is of/),
    );
    const twice = planOf(digest('b'));
    expect(() => openSecondary({ plan: twice, seal: written(sealOf(twice)) })).toThrow(refused('TASKS_REUSED'));
  });
});

/** The same tasks with the labels turned by one: candidates and map move along. */
function turned(task: Task): Task {
  const moved = (label: string) => String.fromCharCode(65 + ((label.charCodeAt(0) - 65 + 1) % 8));
  const choices = task.choices.map((_, i) => task.choices[(i + 7) % 8]!);
  const scores = Uint16Array.from(PORTFOLIOS, () => 0);
  PORTFOLIOS.forEach((key, action) => {
    const to = [...key].map(moved).sort().join('');
    scores[PORTFOLIOS.indexOf(to)] = task.scores[action]!;
  });
  return { ...task, id: `${task.id}-again`, prompt: `Another wording. ${task.id}`, choices, scores };
}

describe('the tasks of a secondary evaluation', () => {
  const listed = sealedTasks(primary);

  it('may be others, and which anchors both stages have is said', () => {
    expect(assertOwnTasks(listed, secondary)).toEqual([]);
    const onAnchor = { ...secondary[0]!, anchor: primary[0]!.anchor };
    expect(assertOwnTasks(listed, [onAnchor, secondary[1]!])).toEqual([primary[0]!.anchor]);
  });

  it.each<[string, (task: Task) => Task, RegExp]>([
    ['themselves', (task) => task, /same id/],
    ['under other ids', (task) => ({ ...task, id: 'x' }), /same prompt/],
    ['under other ids and wordings', (task) => ({ ...task, id: 'x', prompt: 'y' }), /same eight candidates/],
    ['with labels turned', turned, /same eight candidates/],
    [
      'with other spellings',
      (task) => ({
        ...turned(task),
        choices: turned(task).choices.map((name) => ` ${name.toUpperCase().replaceAll('_', ' ')}`),
      }),
      /same eight candidates/,
    ],
    [
      'with candidates renamed and labels turned',
      (task) => ({ ...turned(task), choices: task.choices.map((_, i) => `name ${i}`) }),
      /its map is the same, labels aside/,
    ],
  ])('are refused when they are the primary ones %s', (_, change, message) => {
    expect(() => assertOwnTasks(listed, [...secondary, change(primary[3]!)])).toThrow(
      refused('TASKS_REUSED', 4, message),
    );
  });

  it('are held against a seal of version 1 by the file that the plan fixed', () => {
    const { tasks: _, sealed_at: __, ...old } = sealOf(plan);
    const seal = sealed({ ...old, schema: 'flavourbench-transfer-seal/1' as const });
    const stage = { plan, seal };
    expect(primaryTasks({ plan, seal: sealOf(plan) }, undefined)).toEqual(listed);
    expect(primaryTasks(stage, { bytesSha256: digest('b'), tasks: primary })).toEqual(listed);
    expect(() => primaryTasks(stage, undefined)).toThrow(refused('SEAL_MISSING', 2, /of version 1/));
    expect(() => primaryTasks(stage, { bytesSha256: digest('c'), tasks: primary })).toThrow(refused('DIGEST_MISMATCH'));
    expect(() => primaryTasks(stage, { bytesSha256: digest('b'), tasks: secondary })).toThrow(
      refused('DIGEST_MISMATCH'),
    );
  });
});

describe('a seal that was made again by hand', () => {
  const seal = sealOf(plan);
  const { artifact_sha256: _, ...open } = seal;
  const file = { bytesSha256: digest('b'), tasks: primary };

  it('is refused with no tasks, and with tasks under the name of a version that lists none', () => {
    const none = { ...open, tasks: [], tasks_sha256: canonicalDigest([]) };
    const { tasks: __, ...silent } = open;
    const older = { ...open, schema: 'flavourbench-transfer-seal/1' as const };
    for (const forged of [none, silent, older])
      expect(() => openSecondary({ plan, seal: written(sealed(forged)) })).toThrow(
        refused('SCHEMA_INVALID', 2, /tasks of the primary stage expected|lists no tasks/),
      );
    const { tasks: ___, ...old } = none;
    const stage = { plan, seal: sealed({ ...old, schema: 'flavourbench-transfer-seal/1' as const }) };
    expect(openSecondary({ plan, seal: written(stage.seal) }).seal).toEqual(stage.seal);
    expect(() => primaryTasks(stage, file)).toThrow(refused('DIGEST_MISMATCH'));
  });

  it('is found by its plan, and by the task file of the primary stage, where it lists one task less, or another wording', () => {
    expect(primaryTasks({ plan, seal }, file)).toEqual(seal.tasks);
    const { primary_content_sha256: __, ...evaluation } = plan.evaluation;
    const older = sealed({ ...plan, evaluation });
    expect(primaryTasks({ plan: older, seal }, file)).toEqual(seal.tasks);
    expect(() => primaryTasks({ plan: older, seal }, undefined)).toThrow(
      refused('SEAL_MISSING', 2, /plan does not fix the tasks/),
    );
    const fewer = seal.tasks!.slice(1);
    const others = seal.tasks!.map((task) => ({ ...task, prompt_sha256: digest('f') }));
    for (const tasks of [fewer, others]) {
      const ids = canonicalDigest(tasks.map(({ task_id }) => task_id));
      const forged = sealed({ ...open, tasks, tasks_sha256: ids });
      expect(() => primaryTasks({ plan, seal: forged }, file)).toThrow(refused('DIGEST_MISMATCH'));
      expect(() => primaryTasks({ plan, seal: forged }, undefined)).toThrow(
        refused('DIGEST_MISMATCH', 4, /the plan fixed/),
      );
      expect(() => primaryTasks({ plan: older, seal: forged }, file)).toThrow(refused('DIGEST_MISMATCH'));
    }
  });
});

describe('plan and seal in time', () => {
  const token = (at: string) => ({ kind: 'rfc3161', status: 'unverified', at, token_sha256: digest('a') }) as const;
  const first = (
    planAt: string | undefined,
    sealAt: string | undefined,
    planTokens: string[] = [],
    sealTokens: string[] = [],
  ) =>
    assertPlanFirst({
      plan: { ...(planAt === undefined ? {} : { frozen_at: planAt }), witnesses: planTokens.map(token) },
      seal: { ...(sealAt === undefined ? {} : { sealed_at: sealAt }), witnesses: sealTokens.map(token) },
    });

  it('may be in order, or state nothing, as version 1', () => {
    first(AT, AT);
    first(undefined, AT);
    first(AT, undefined);
    expect(() =>
      first(AT, '2026-08-22T00:00:00.000Z', ['2026-08-21T00:00:00.000Z'], ['2026-08-23T00:00:00.000Z']),
    ).not.toThrow();
  });

  it('are in order where whole seconds of their witnesses do not tell which came first', () => {
    const frozen = '2026-08-20T00:00:00.999Z';
    const second = '2026-08-20T00:00:00.000Z';
    first(frozen, frozen, [second], [second]);
    first(undefined, '2026-08-20T00:00:00.001Z', [second]);
    const before = '2026-08-19T23:59:59.000Z';
    expect(() => first(frozen, frozen, [], [before])).toThrow(refused('PLAN_LATE'));
    expect(() => first(undefined, '2026-08-19T23:59:59.999Z', [second])).toThrow(refused('PLAN_LATE'));
  });

  it.each<[string, Parameters<typeof first>]>([
    ['the plan states a later time', ['2026-08-20T00:00:01.000Z', AT]],
    ['a token over the plan is younger than the seal', [AT, '2026-08-21T00:00:00.000Z', ['2026-08-22T00:00:00.000Z']]],
    [
      'a token over the seal is older than the plan',
      ['2026-08-22T00:00:00.000Z', undefined, [], ['2026-08-21T00:00:00.000Z']],
    ],
  ])('are refused where %s', (_, times) => {
    expect(() => first(...times)).toThrow(refused('PLAN_LATE'));
  });
});
