import { readWorld } from '../../environment/world.js';
import { type PyValue, pyStored } from '../../io/pyjson.js';
import { compileWorld } from '../../tasks/compile/world.js';
import { explainWorldAnchor } from '../../tasks/compile/world-explain.js';
import { mapKernels } from '../options.js';
import { printJson, printLine, printTable } from '../print.js';
import { writeResult } from '../write-output.js';
import { explainCompile } from './compile-explain.js';

export interface WorldFlags {
  readonly world: string;
  readonly seed: string;
  readonly out?: string;
  readonly explain?: string;
  readonly perStratum?: number;
  readonly idPrefix?: string;
  readonly backend: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `compile --world FILE`: tasks of a world of your own (docs/environments.md). */
export async function compileWorldFile(flags: WorldFlags): Promise<void> {
  const { perStratum, idPrefix, explain: anchor } = flags;
  const world = readWorld(flags.world);
  const kernels = await mapKernels(flags.backend);
  const run = () =>
    compileWorld({
      world,
      kernels,
      seed: flags.seed,
      perStratum,
      idPrefix,
    });
  if (anchor !== undefined) {
    return explainCompile({
      anchor,
      json: flags.json === true,
      compile: run,
      explain: (compiled) => explainWorldAnchor({ world, kernels, anchor, compiled }),
    });
  }
  const { document, pools } = run();
  const { path, added } = await writeResult({
    path: flags.out!,
    name: `flavourbench-world-taskset-${document.artifact_sha256}.json`,
    data: pyStored(document as unknown as PyValue),
    force: flags.force === true,
  });
  const { artifact_sha256, task_set_sha256, counts, candidates } = document;
  if (flags.json) {
    printJson({ path, added, artifact_sha256, task_set_sha256, counts, candidates });
    return;
  }
  printTable(
    ['family', 'candidates', 'turned down', 'tasks'],
    pools.map(({ family, candidates: kept, rejections }) => [
      family.id,
      kept.length,
      rejections.length,
      document.tasks.filter((task) => task.family === family.id).length,
    ]),
  );
  printLine(`${added ? 'wrote' : 'unchanged'} ${path}`);
  printLine(`task set ${task_set_sha256}`);
  printLine(`artifact ${artifact_sha256}`);
}
