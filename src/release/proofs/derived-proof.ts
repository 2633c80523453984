import type { AssembledRelease } from '../assemble.js';
import { type Inventory, RELEASE_FILES, textFile } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import { compareFile } from './file-proof.js';
import type { Findings } from './findings.js';
import { compareLines } from './observation-proof.js';

/** Holds every derived file of a release against what was computed anew. Returns the names it looked at. */
export async function proveDerived(
  files: Inventory,
  sources: ReleaseSources,
  assembled: AssembledRelease,
  findings: Findings,
): Promise<string[]> {
  const observed = files.get(RELEASE_FILES.observations);
  if (observed) compareLines(assembled.observations, observed, findings);
  findings.done('answers parsed and scored again', assembled.candidates.ordered.length);
  const texts = [...assembled.texts].map(([name, text]) => textFile(name, text));
  const derived = [...texts, ...assembled.encoded, ...(await assembled.late)];
  for (const file of derived) await compareFile(file, files, sources, findings);
  const { models, pairs } = assembled.inference;
  findings.done('models: score, interval, band, chance test, rank, group', models.length);
  findings.done('pairs: difference, interval, p, Holm, max-T, direction', pairs.length);
  findings.done('score matrix cells', assembled.matrix.values.length);
  findings.done('derived files', derived.length);
  return [RELEASE_FILES.observations, ...derived.map(({ name }) => name)];
}
