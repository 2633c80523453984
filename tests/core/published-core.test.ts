import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coreDocument } from '../../src/core/core-document.js';
import { selectCore } from '../../src/core/select-core.js';
import { outlines } from '../../src/core/task-outline.js';
import { isValidCell, type ValidityMatrix } from '../../src/core/validity.js';
import { readCorePlan, readTaskFiles, verifyCorePlan } from '../../src/tasks/task-files.js';
import { freshFolder } from '../support/folders.js';
import { noShared, shared } from '../support/shared.js';

const FAMILIES = ['substitution', 'pairing', 'constraint'] as const;
const SEED = 'flavourbench-all-model-complete-common-core-v1';
const FABLE = 'anthropic/claude-fable-5';

interface Golden {
  readonly panels: Record<string, Record<string, string[]>>;
  readonly inference_from_order: Record<
    string,
    Record<string, { certainly_ineligible: string[]; undetermined: string[]; recorded_available: number }>
  >;
}

const read = (path: string) => JSON.parse(readFileSync(shared(path), 'utf8'));

/**
 * A validity matrix that fits everything that is public: tasks that order alone rules out, the recorded size of each pool, and the
 * recorded number of invalid cells of each model. Which of the undetermined tasks are invalid is not public; the first ones are taken.
 */
function fitted(): { matrices: ValidityMatrix[]; plan: ReturnType<typeof read> } {
  const golden = read('golden/core_tasks.json') as Golden;
  const plan = read(
    'data/plan/epicure-selection-joint-analysis-plan-2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507.json',
  );
  const files = readTaskFiles(
    [
      'a33bf28db372090015118371417b0e8ed1254f416d03d2c2c5816a6a752beb41',
      '925ba9d1d4be9c2b7a1e9956ecd6c18d34ffcad22eee28522f16892922c91e3f',
    ].map((sha) => shared(`data/tasksets/epicure-selection-taskset-${sha}.json`)),
  );
  const models: string[] = plan.common_core.ranked_model_ids;
  const matrices = [...outlines(files)].map(([panel, tasks]) => {
    const invalid = new Set<string>();
    for (const family of FAMILIES) {
      const known = golden.inference_from_order[panel]![family]!;
      const surplus = known.undetermined.length - (known.recorded_available - 89);
      for (const id of [...known.certainly_ineligible, ...known.undetermined.slice(0, surplus)]) invalid.add(id);
    }
    const recorded: Record<string, number> = plan.common_core.panels[panel].invalid_candidate_cells_by_model;
    const others = tasks.filter((task) => task.family === 'cultural_composition');
    const completed = new Uint8Array(models.length * tasks.length).fill(1);
    const parseable = completed.slice();
    models.forEach((model, m) => {
      const ids = model === FABLE ? [...invalid] : [];
      const rest = others.slice(0, recorded[model]! - ids.length).map((t) => t.id);
      for (const id of [...ids, ...rest]) {
        const at = m * tasks.length + tasks.findIndex((task) => task.id === id);
        completed[at] = at % 2;
        parseable[at] = 0;
      }
    });
    return { panel, models, tasks, completed, parseable };
  });
  return { matrices, plan };
}

describe.skipIf(noShared)('the published core', () => {
  it('is selected id for id, in order, from a matrix that fits the public record', () => {
    const { matrices, plan } = fitted();
    const selection = selectCore({ matrices, families: FAMILIES, seed: SEED, perStratum: 'auto' });
    expect(selection).toMatchObject({ perStratum: 89, setBy: 'smallest_pool' });
    const golden = read('golden/core_tasks.json') as Golden;
    for (const { panel, family, selected, available } of selection.strata) {
      expect(selected).toEqual(golden.panels[panel]![family]);
      expect(available).toBe(plan.common_core.panels[panel].available_complete_tasks_by_family[family]);
    }
    const ids = selection.strata.flatMap((stratum) => stratum.selected);
    expect(new Set(ids).size).toBe(534);
  });

  it('carries the published list digests, and reads back with the plan reader', () => {
    const { matrices, plan } = fitted();
    const selection = selectCore({ matrices, families: FAMILIES, seed: SEED, perStratum: 89 });
    const provenance = {
      ledgers: [],
      task_sets: [],
      parser: 'v3',
      phase: 'primary',
      records: new Map(),
      mixed_contracts: [],
      unpinned_model_ids: [],
    };
    const document = coreDocument({ selection, matrices, families: FAMILIES, provenance });
    const path = join(freshFolder(), 'core.json');
    writeFileSync(path, JSON.stringify(document));
    const ours = verifyCorePlan(path);
    const published = readCorePlan(
      shared(
        'data/plan/epicure-selection-joint-analysis-plan-2ba71c793c8d4b97eed863ee83fd770b429fdefdffebdeafb241672f634ee507.json',
      ),
    );
    expect(ours.ids).toEqual(published.ids);
    expect(ours.selectedSha256).toEqual(published.selectedSha256);
    const core = (document as unknown as typeof plan).common_core;
    for (const panel of ['panel_1', 'panel_2'])
      expect(core.panels[panel].invalid_candidate_cells_by_model).toEqual(
        plan.common_core.panels[panel].invalid_candidate_cells_by_model,
      );
    expect(core).toMatchObject({ model_task_cells: 14_418, pairwise_hypotheses: 351 });
  });

  it('would hold every task of the first panel without the endpoint that costs most', () => {
    const { matrices } = fitted();
    const [first] = matrices as [ValidityMatrix];
    const m = first.models.indexOf(FABLE);
    const lost = first.tasks.filter((_, t) => !isValidCell(first, m, t)).length;
    expect(lost).toBe(288);
    const { strata } = selectCore({
      matrices: [first],
      families: FAMILIES,
      seed: SEED,
      perStratum: 89,
    });
    expect(strata.map((s) => [s.costs.length, s.costs[0]?.model_id, s.costs[0]?.alone])).toEqual([
      [1, FABLE, 3],
      [1, FABLE, 71],
      [1, FABLE, 67],
    ]);
  });
});
