import { isFrozen } from '../../inference/plan.js';
import { isObject, type JsonObject } from '../../io/json.js';
import { analysisDocuments, RELEASE_FILES } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import type { Findings } from './findings.js';

/** What `results` of release.json and the plan of its inference have had since version 0.1.0. */
const LATER = [
  'protocol',
  'decoding',
  'response_parser',
  'response_parser_sha256',
  'inline_reasoning_answers',
  'analysis_plan',
];

/**
 * Holds a release that states the rules of version 0.1.0 against what that version could write: whatever it did not know is a difference, so that
 * no later release passes by its rules.
 */
export function proveOldRules(results: JsonObject, sources: ReleaseSources, findings: Findings): void {
  const later = (file: string, at: string) =>
    findings.add({
      file,
      at,
      expected: 'nothing that version 0.1.0 did not write',
      found: 'a field of a later version',
    });
  for (const key of LATER) if (key in results) later(RELEASE_FILES.release, `results.${key}`);
  if (!isFrozen(sources.plan)) later(RELEASE_FILES.release, 'plan');
  const core = sources.core?.document.sources;
  if (isObject(core) && 'protocol' in core) later(RELEASE_FILES.core, 'sources.protocol');
  const documents = findings.attempt(RELEASE_FILES.analyses, () => analysisDocuments(sources.analyses));
  for (const [file, { about }] of documents ?? []) if (about !== undefined) later(file, 'about');
}
