import { callDigest } from '../../shares/part-document.js';
import { fail } from '../../util/error.js';
import { VERSION } from '../../util/version.js';
import { keptWords } from './call-words.js';
import { placedParts, withParts } from './held-parts.js';
import { kernelsDigest } from './kernels-digest.js';
import { assertShards } from './merged-shards.js';
import { mergeParts } from './part-calls.js';

/**
 * Puts parts together: calls what they are shares of, with the words that stand in them and with the parts in place of the work. Errors:
 * PART_INVALID, SHARDS_DIFFER, SHARDS_INCOMPLETE, and those of the command.
 */
export async function mergeCall(parts: readonly string[], more: readonly string[]): Promise<void> {
  const read = placedParts(parts);
  assertShards(read.map(({ file, part }) => ({ path: file, shard: part.shard, done: true, work: callDigest(part) })));
  const { version, kernels, call } = read[0]!.part;
  if (version !== VERSION || kernels !== kernelsDigest())
    fail(
      'SHARDS_DIFFER',
      { file: parts[0]! },
      `was made by version ${version} with kernels ${kernels.slice(0, 12)}; this is ${VERSION} with ${kernelsDigest().slice(0, 12)}`,
      'Put shares together with the program that made them.',
    );
  // The words come from a file: they may not say where to write.
  if (keptWords(call).length !== call.length)
    fail('PART_INVALID', { file: parts[0]! }, 'has a call that says how it is written', 'Give what --shard wrote.');
  return withParts(read, () => mergeParts({ call, parts, more }));
}
