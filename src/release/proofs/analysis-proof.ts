import { utf8Text } from '#platform';
import { statedDigests } from '../../io/document.js';
import { parseObject } from '../../io/json.js';
import { asStated, type Trust, witnessWords } from '../../witness/witness.js';
import type { AssembledRelease } from '../assemble.js';
import { plannedChecks } from '../plans/check-plans.js';
import { planTime, planTimeWords } from '../plans/plan-time.js';
import { plannedStudies } from '../plans/planned-studies.js';
import { reusedIn } from '../plans/study-stages.js';
import { analysisDocuments, type Inventory, RELEASE_FILES, type ReleaseFile } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import { NOT_RUN } from '../remade-analysis.js';
import { foreignIn, strayIn, subjectOf } from '../subject.js';
import { jsonDifferences } from './differences.js';
import { compareFile } from './file-proof.js';
import type { Findings } from './findings.js';
import { provePlanWitnesses } from './plan-witness-proof.js';

/** Proves how checks stand to their plans, and that no look at scores came before a plan was known. */
function proveCheckPlans(documents: Parameters<typeof reusedIn>[0], assembled: AssembledRelease, findings: Findings) {
  const { checks, faults } = plannedChecks(documents, assembled.matrix);
  findings.addAll(faults);
  for (const { file, plan, since, witnesses } of checks) {
    const time = planTime(since, assembled.candidates, assembled.journals);
    const words = planTimeWords(time);
    if (time.late)
      findings.add({
        file,
        at: 'frozen_at',
        expected: `no later than ${time.firstLook?.at}`,
        found: `${plan.frozen_at}: ${words}`,
      });
    else findings.note(`${file}: ${words}; ${witnessWords(asStated(witnesses))}`);
  }
  if (checks.length > 0) findings.done('checks against the plans that they were made by', checks.length);
}

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
 * Proves that the analyses are about this leaderboard, each document by the digests of what it looked at, and holds every document and table
 * against those that were made again. By the rules of version 0.1.0 a document need not say what it is about, its results alone are compared,
 * and a table is held against the documents beside it. Returns the names it knows.
 */
export async function proveAbout(
  sources: ReleaseSources,
  assembled: AssembledRelease,
  files: Inventory,
  trust: Trust,
  findings: Findings,
): Promise<string[]> {
  const { analyses, rules } = sources;
  const documents = findings.attempt(RELEASE_FILES.analyses, () => analysisDocuments(analyses));
  if (!documents || analyses.length === 0) return analyses.map(({ name }) => name);
  const subject = subjectOf(sources, assembled);
  let silent = 0;
  for (const [name, document] of documents) {
    findings.addAll(foreignIn(name, document, subject, { unbound: rules === 1 }));
    if (document.about === undefined) silent += 1;
  }
  if (rules !== 1) {
    findings.addAll(reusedIn(documents));
    proveCheckPlans(documents, assembled, findings);
    const { studies, faults } = plannedStudies(documents, analyses);
    findings.addAll(faults);
    if (studies > 0) findings.done('studies against their plans and seals', studies);
    await provePlanWitnesses(documents, analyses, trust, findings);
  }
  findings.done('analyses against what they are about', documents.size - silent);
  for (const { name, left } of assembled.remade) if (left !== null) findings.left(`results of ${name}`, 1, left);
  const again = assembled.remade.filter(({ results }) => results !== null);
  if (rules === 1) {
    await findings.attemptAsync(RELEASE_FILES.analyses, async () =>
      findings.addAll(await strayIn(analyses, documents)),
    );
    if (silent > 0) findings.left('what documents of analyses are about', silent, 'they do not say it');
    for (const { name, results } of again)
      findings.addAll(jsonDifferences(name, results, documents.get(name)?.results, {}, 'results'));
    findings.done('results of analyses run again', again.length);
    return analyses.map(({ name }) => name);
  }
  for (const file of assembled.analyses) await compareFile(file, files, sources, findings);
  findings.done('analyses run again: every field of their documents', again.length);
  const made = assembled.remade.filter(({ left }) => left !== NOT_RUN).flatMap(({ files: own }) => own.slice(1));
  findings.done('tables of analyses against their documents', made.length);
  return assembled.analyses.map(({ name }) => name);
}
