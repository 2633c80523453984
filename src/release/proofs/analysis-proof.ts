import { utf8Text } from '#platform';
import { canonicalDigest } from '../../io/canonical.js';
import { documentDigest } from '../../io/document.js';
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
      if (document.results !== undefined)
        findings.same(name, 'results_sha256', canonicalDigest(document.results), document.results_sha256);
      if (document.artifact_sha256 !== undefined)
        findings.same(name, 'artifact_sha256', documentDigest(text, document, name), document.artifact_sha256);
      documents += 1;
    });
  }
  if (documents > 0) findings.done('documents of analyses against their digests', documents);
}
