import { utf8Text } from '#platform';
import { statedDigests } from '../../io/document.js';
import { parseObject } from '../../io/json.js';
import type { ReleaseFile } from '../release-files.js';
import type { Findings } from './findings.js';

/** Proves the digests that each document of an analysis states of itself. */
export function proveAnalyses(analyses: readonly ReleaseFile[], findings: Findings): void {
  let documents = 0;
  for (const { name, bytes } of analyses) {
    if (!name.endsWith('.json')) continue;
    findings.attempt(name, () => {
      const text = utf8Text(bytes);
      const document = parseObject(text, { file: name });
      for (const { field, stated, found } of statedDigests(document, text, name))
        if (stated !== undefined) findings.same(name, field, found, stated);
      documents += 1;
    });
  }
  if (documents > 0) findings.done('documents of analyses against their digests', documents);
}
