import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealed } from '../../src/io/canonical.js';
import { pyDigest } from '../../src/io/pyjson.js';
import { coreOrderKey, coreTasks } from '../../src/tasks/coreplan.js';
import { readCorePlan, readTaskFiles, verifyCorePlan } from '../../src/tasks/task-files.js';
import type { FlavourError } from '../../src/util/error.js';
import { noShared, shared } from '../support/shared.js';
import { taskRow } from './support.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'core-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SEED = 'a seed';
function write(document: object): string {
  const path = join(folder, 'plan.json');
  writeFileSync(path, JSON.stringify(document));
  return path;
}

function plan(ids: Record<string, string[]>, digest?: string): object {
  const flat = ['substitution', 'pairing', 'constraint'].flatMap((family) => ids[family] ?? []);
  return sealed({
    canonicalization: 'RFC8785',
    common_core: {
      selection_seed: SEED,
      panels: {
        panel_1: {
          selected_task_ids_by_family: ids,
          selected_task_ids_sha256: digest ?? pyDigest(flat),
        },
      },
    },
  });
}

const ordered = (family: string, ids: string[]) =>
  [...ids].sort((a, b) =>
    coreOrderKey(SEED, 'panel_1', family, a) < coreOrderKey(SEED, 'panel_1', family, b) ? -1 : 1,
  );

function failure(document: object): FlavourError {
  try {
    verifyCorePlan(write(document));
  } catch (error) {
    return error as FlavourError;
  }
  throw new Error('accepted');
}

describe('the reader of core plans', () => {
  const ids = ['t1', 't2', 't3', 't4'];

  it('lists ranked families in order and proves hash order and digests', () => {
    const read = verifyCorePlan(
      write(
        plan({
          pairing: ordered('pairing', ['p1', 'p2']),
          substitution: ordered('substitution', ids),
        }),
      ),
    );
    expect(read.strata.map((stratum) => [stratum.family, stratum.ids.length])).toEqual([
      ['substitution', 4],
      ['pairing', 2],
    ]);
    expect(read.ids).toHaveLength(6);
  });

  it('keeps the order of families that the plan states, whatever it is', () => {
    const lists = {
      trip: ordered('trip', ['t1', 't2']),
      pairing: ordered('pairing', ['p1', 'p2']),
      constraint: ordered('constraint', ['c1']),
    };
    for (const included of [
      ['constraint', 'pairing', 'trip'],
      ['trip', 'constraint', 'pairing'],
    ] as const) {
      const flat = included.flatMap((family) => lists[family]);
      const core = (plan(lists, pyDigest(flat)) as { common_core: object }).common_core;
      const document = sealed({ common_core: { ...core, included_families: included } });
      const read = verifyCorePlan(write(document));
      expect(read.strata.map(({ family }) => family)).toEqual(included);
      expect(read.ids).toEqual(flat);
    }
  });

  it('places families that the plan does not list after the others, and still proves the digest', () => {
    const lists = { trip: ordered('trip', ['t1']), pairing: ordered('pairing', ['p1']) };
    const core = (plan(lists, pyDigest(['p1', 't1'])) as { common_core: object }).common_core;
    const stated = (included: unknown) => sealed({ common_core: { ...core, included_families: included } });
    for (const included of [['absent', 'toString'], 'pairing', undefined])
      expect(verifyCorePlan(write(stated(included))).ids).toEqual(['p1', 't1']);
    expect(failure(stated(['trip', 'pairing']))).toMatchObject({ code: 'VERIFY_FAILED', exit: 4 });
  });

  it('names the first id out of hash order', () => {
    const wrong = ordered('pairing', ids).reverse();
    const error = failure(plan({ pairing: wrong }));
    expect(error).toMatchObject({ code: 'VERIFY_FAILED', exit: 4 });
    expect(error.message).toContain('pairing[1]: expected ascending hash order');
    expect(error.message).toContain(`${wrong[1]} after ${wrong[0]}`);
  });

  it('names a wrong list digest and a broken seal', () => {
    expect(failure(plan({ pairing: ['p1'] }, 'ab')).message).toContain('selected_task_ids_sha256');
    expect(failure({ ...plan({ pairing: ['p1'] }), more: 1 }).message).toContain('artifact_sha256');
  });

  it('refuses what is no plan', () => {
    for (const document of [
      {},
      { common_core: { panels: {} } },
      { common_core: { selection_seed: 's', panels: {} } },
    ]) {
      expect(() => readCorePlan(write(document))).toThrow(/expected, found/);
    }
    expect(() => readCorePlan(write(plan({ pairing: ['x'], substitution: ['x'] })))).toThrow(/twice/);
  });

  it('finds the tasks, or says which one is missing or disagrees', () => {
    const path = join(folder, 'tasks.json');
    writeFileSync(path, JSON.stringify([taskRow('t1'), taskRow('t2'), taskRow('p1', { family: 'pairing' })]));
    const files = readTaskFiles([path]);
    const of = (lists: Record<string, string[]>) => coreTasks(readCorePlan(write(plan(lists))), files);
    expect(of({ substitution: ['t2'], pairing: ['p1'] }).map((task) => task.id)).toEqual(['t2', 'p1']);
    expect(() => of({ pairing: ['p2'] })).toThrow(/the core names task "p2"; no task file holds it/);
    expect(() => of({ pairing: ['t1'] })).toThrow(/the core has task t1 in panel_1, pairing/);
  });
});

describe.skipIf(noShared)('the released plan', () => {
  const path = () => shared(`data/plan/${readdirSync(shared('data/plan'))[0]}`);

  it('proves itself and lists the 534 tasks of the published order', () => {
    const core = verifyCorePlan(path());
    expect(core.ids).toHaveLength(534);
    expect(core.strata.map((stratum) => stratum.ids.length)).toEqual(Array(6).fill(89));
    const golden = readFileSync(shared('golden/lab/tasks-534.jsonl'), 'utf8').trim().split('\n');
    expect(core.ids).toEqual(golden.map((line) => (JSON.parse(line) as { task_id: string }).task_id));
  });

  it('fails when a list is changed, though digests of lists are not', () => {
    const text = readFileSync(path(), 'utf8').replace('"fb-executable-pairing-047"', '"fb-executable-pairing-048"');
    writeFileSync(join(folder, 'changed.json'), text);
    expect(() => verifyCorePlan(join(folder, 'changed.json'))).toThrow(
      /artifact_sha256 is [0-9a-f]{64}, its content has/,
    );
  });
});
