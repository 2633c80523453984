import { utf8Text } from '#platform';
import { statedDigests } from '../../io/document.js';
import { parseObject } from '../../io/json.js';
import type { AssembledRelease, ReleaseSources } from '../assemble.js';
import { RELEASE_FILES, type ReleaseFile } from '../release-files.js';
import { analysisDocuments, foreignIn, strayIn, subjectOf } from '../subject.js';
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

/**
 * Proves that the analyses are about this leaderboard: each document by the digests of what it looked at, tables and lists by the documents
 * beside them. A release of version 0.1.0 may hold documents that do not say; a note says so.
 */
export async function proveAbout(
  sources: ReleaseSources,
  assembled: AssembledRelease,
  findings: Findings,
): Promise<void> {
  const { analyses } = sources;
  const documents = findings.attempt(RELEASE_FILES.analyses, () => analysisDocuments(analyses));
  if (!documents || analyses.length === 0) return;
  const subject = subjectOf(sources, assembled);
  const unbound = sources.asked === null;
  let silent = 0;
  for (const [name, document] of documents) {
    findings.addAll(foreignIn(name, document, subject, { unbound }));
    if (document.about === undefined) silent += 1;
  }
  await findings.attemptAsync(RELEASE_FILES.analyses, async () => findings.addAll(await strayIn(analyses, documents)));
  findings.done('analyses against what they are about', documents.size - silent);
  if (silent > 0) findings.note(`${silent} documents of analyses do not say which leaderboard they are about`);
}
