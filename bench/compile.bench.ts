import type { Bench } from 'tinybench';
import { openWasmMapKernels } from '../src/engine/wasm/maps.js';
import { openPantry } from '../src/environment/pantry/pantry.js';
import { RELEASED_DESIGN } from '../src/tasks/compile/compile-design.js';
import { denseMaps } from '../src/tasks/compile/dense.js';
import { compileTaskSet } from '../src/tasks/compile/released-source.js';
import type { MapRow } from '../src/tasks/maps-read.js';
import { rescoreMaps } from '../src/tasks/maps-rescore.js';

/** Compiling and rescoring over the built-in pantry, 300 numbers an ingredient; reading and writing files not counted. */
export function register(bench: Bench): void {
  const environment = openPantry();
  const kernels = openWasmMapKernels();
  const compile = (seed: string) =>
    compileTaskSet({ environment, kernels, design: RELEASED_DESIGN, seed, first: null }).document;
  const rows = ['one', 'two'].flatMap((seed) =>
    compile(seed).tasks.map((task): MapRow => {
      const { constraint_variant: flag, maximum_nova: nova } = task.oracle_reference;
      return {
        id: `${seed} ${task.task_id}`,
        family: task.family,
        panel: 'panel_1',
        keys: Object.keys(task.selection_scores_bps),
        scores: Uint16Array.from(Object.values(task.selection_scores_bps)),
        task: {
          anchor: task.anchor_ingredient,
          choices: Object.values(task.choices),
          select: task.selection_size,
          region: task.oracle_reference.target_region as string | null,
          variant: flag === null ? null : { flag: flag as 'vegan' | 'vegetarian', nova: nova as number },
          weights: null,
          needs: null,
        },
      };
    }),
  );
  bench
    .add('1,280 tasks rescored from vectors', () => {
      rescoreMaps({ environment, kernels, rows });
    })
    .add('one panel of 640 tasks compiled', () => {
      compile('bench');
    })
    .add('every candidate of every anchor mapped', () => {
      denseMaps({ environment, kernels, design: RELEASED_DESIGN });
    });
}
