import { isObject } from '../io/json.js';
import { dataText } from '../util/text.js';

/** One sample with its scores over all epochs, in the shape of a sample of the log. */
interface ReducedSample {
  readonly sample: { readonly id: unknown; readonly scores: Readonly<Record<string, unknown>> };
  readonly path: string;
}

/**
 * Makes samples of the reductions of an inspect_ai log, which say per scorer and reducer what the epochs of a sample came to. A log that
 * was written without samples still has them. A scorer under several reducers is several: `SCORER/REDUCER`.
 */
export function reducedSamples(reductions: unknown, file: string): ReducedSample[] {
  if (!Array.isArray(reductions)) return [];
  const lists = reductions.filter(isObject);
  const samples = new Map<string, { id: unknown; scores: Map<string, unknown> }>();
  for (const { scorer, reducer, samples: scores } of lists) {
    if (!Array.isArray(scores)) continue;
    const several = lists.filter((other) => other.scorer === scorer).length > 1;
    const name = several ? `${dataText(scorer)}/${dataText(reducer)}` : dataText(scorer);
    for (const [i, score] of scores.entries()) {
      if (!isObject(score)) continue;
      const id = score.sample_id ?? i + 1;
      const sample = samples.get(dataText(id)) ?? { id, scores: new Map() };
      samples.set(dataText(id), sample);
      sample.scores.set(name, score);
    }
  }
  return [...samples.values()].map(({ id, scores }) => ({
    sample: { id, scores: Object.fromEntries(scores) },
    path: `${file}: sample ${dataText(id)}`,
  }));
}
