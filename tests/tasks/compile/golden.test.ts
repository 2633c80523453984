import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openWasmMapKernels } from '../../../src/engine/wasm/maps.js';
import type { Compiled } from '../../../src/tasks/compile/compile.js';
import { type CompileDesign, RELEASED_DESIGN } from '../../../src/tasks/compile/compile-design.js';
import { compileTaskSet } from '../../../src/tasks/compile/released-source.js';
import type { TaskObject } from '../../../src/tasks/compile/taskset-document.js';
import { sharedCheckpoint } from '../../support/checkpoint.js';
import { noShared, shared } from '../../support/shared.js';

interface GoldenTask {
  task_id: string;
  family: string;
  validation_stratum: number;
  anchor_ingredient: string;
  primary_category: string;
  choices: Record<string, string>;
  constraint_variant: string | null;
  maximum_nova: number | null;
  target_region: string | null;
  optimal_selection: string;
  chance_score_bps: number;
  optimal_margin_bps: number;
  scores: number[];
}

interface Golden {
  seeds: Record<'A' | 'B' | 'C', string>;
  candidate_counts: Record<'A' | 'B', Record<string, [number, number]>>;
  panel_A: GoldenTask[];
  panel_B: GoldenTask[];
  cultural: GoldenTask[];
}

/** A compiled task in the shape of the golden file. */
function asGolden(task: TaskObject): GoldenTask {
  const oracle = task.oracle_reference;
  return {
    task_id: task.task_id,
    family: task.family,
    validation_stratum: task.validation_stratum,
    anchor_ingredient: task.anchor_ingredient,
    primary_category: task.primary_category,
    choices: task.choices,
    constraint_variant: oracle.constraint_variant as string | null,
    maximum_nova: oracle.maximum_nova as number | null,
    target_region: oracle.target_region as string | null,
    optimal_selection: task.optimal_selection,
    chance_score_bps: task.chance_score_bps,
    optimal_margin_bps: task.optimal_margin_bps,
    scores: Object.values(task.selection_scores_bps),
  };
}

describe.skipIf(noShared)('compiling on the public Cooc checkpoint', () => {
  const ranked: CompileDesign = {
    ...RELEASED_DESIGN,
    families: ['substitution', 'pairing', 'constraint'],
    scoreability: 'before',
  };
  let golden: Golden;
  let panelA: Compiled;
  let compile: (seed: string, idPrefix: string, design: CompileDesign, anchors: string[]) => Compiled;

  beforeAll(async () => {
    golden = JSON.parse(readFileSync(shared('golden/cooc_compile.json'), 'utf8'));
    const environment = await sharedCheckpoint('cooc');
    const kernels = openWasmMapKernels();
    compile = (seed, idPrefix, design, anchors) =>
      compileTaskSet({
        environment,
        kernels,
        design,
        seed,
        idPrefix,
        first: anchors.length === 0 ? null : { anchors, physicalSha256: '', artifactSha256: '', taskSetSha256: '' },
      });
    panelA = compile(golden.seeds.A, 'golden-a-', ranked, []);
  });

  it('reproduces the first panel map for map', () => {
    expect(panelA.document.tasks.map(asGolden)).toEqual(golden.panel_A);
  });

  it('counts the same candidates before and after scoring', () => {
    for (const { family, candidates, rejections } of panelA.families) {
      const scored = rejections.filter(({ rule }) => ['few_feasible', 'flat', 'tied_optimum'].includes(rule));
      const [before, after] = golden.candidate_counts.A[family.id]!;
      expect([candidates.length + scored.length, candidates.length]).toEqual([before, after]);
    }
  });

  it('reproduces the second panel, all anchors novel, map for map', () => {
    const anchors = golden.panel_A.map((task) => task.anchor_ingredient);
    const panelB = compile(golden.seeds.B, 'golden-b-', ranked, anchors);
    expect(panelB.document.tasks.map(asGolden)).toEqual(golden.panel_B);
    expect(panelB.document).toMatchObject({
      replication: { index: 2, novel_anchor_count: 480, shared_anchor_count: 0 },
    });
  });

  it('reproduces the regional track with the seven poles of the checkpoint', () => {
    const design = { ...ranked, families: ['cultural_composition'] as const };
    const regional = compile(golden.seeds.C, 'golden-c-', design, []);
    expect(regional.document.tasks.map(asGolden)).toEqual(golden.cultural);
  });
});
