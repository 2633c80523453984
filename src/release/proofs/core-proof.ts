import { z } from 'zod';
import { protocolName } from '../../collect/asked.js';
import { CORE_PLAN_SCHEMA, coreStatus, frozenCoreSchema } from '../../core/core-document.js';
import { eligibleTasks } from '../../core/select-core.js';
import { validityDigest } from '../../core/validity.js';
import { setDigest } from '../../io/canonical.js';
import type { JsonObject } from '../../io/json.js';
import { shown } from '../../util/error.js';
import { checked } from '../../util/schema.js';
import { dataText } from '../../util/text.js';
import type { AssembledRelease } from '../assemble.js';
import { absentCells, candidateValidity } from '../candidate-cells.js';
import { AS_BUILT, RELEASE_FILES } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import type { Findings } from './findings.js';

const FILE = RELEASE_FILES.core;

const listed = z.array(z.looseObject({}));

/** What a core plan of ours states of its sources. */
const coreStatement = z.looseObject({
  common_core: z.looseObject({ panels: z.record(z.string(), z.looseObject({}).nullable()) }),
  sources: z.looseObject({ task_sets: listed, ledgers: listed }),
});

/** Tells whether a core plan is one that `core freeze` wrote, and not the published one. */
export function isOurs(document: JsonObject | undefined): boolean {
  return document?.schema === CORE_PLAN_SCHEMA;
}

/** Selects the core again from status and parse bits, and holds what the plan states of its sources against the release. */
export function proveCore(sources: ReleaseSources, assembled: AssembledRelease, findings: Findings): void {
  const { core } = sources;
  if (core === null) {
    findings.note('there is no core plan: every task of the ranked families is ranked');
    return;
  }
  const { candidates } = assembled;
  const matrices = candidateValidity(candidates);
  const { strata, seed } = core.plan;
  const pools = eligibleTasks({
    matrices,
    families: [...new Set(strata.map(({ family }) => family))],
    seed,
  });
  for (const { panel, family, ids } of strata) {
    const at = `common_core.panels.${panel}.selected_task_ids_by_family.${family}`;
    const found = pools.find((p) => p.panel === panel && p.family === family)?.ids ?? [];
    ids.forEach((id, i) => {
      if (found[i] === id) return;
      findings.add({
        file: FILE,
        at: `${at}[${i}]`,
        expected: shown(found[i] ?? 'no task'),
        found: shown(id),
      });
    });
  }
  const cells = matrices.reduce((sum, { completed }) => sum + completed.length, 0);
  findings.done('candidate cells from which the core was selected again', cells);
  const absent = absentCells(candidates);
  if (absent > 0)
    findings.note(
      `${absent} of ${cells} candidate cells have no answer in the release: for tasks outside the core the selection is proved only as far as the answers at hand`,
    );
  if (!isOurs(core.document)) {
    findings.note(
      'the core plan is not of this project: its own digests and the order are proved, its sources are not at hand',
    );
    return;
  }
  const { common_core: common, sources: stated } = checked(coreStatement, core.document, { file: FILE }, AS_BUILT);
  findings.same(FILE, 'common_core.ranked_model_ids', dataText(common.ranked_model_ids), candidates.models.join());
  for (const matrix of matrices) {
    const at = `common_core.panels.${matrix.panel}`;
    const block = common.panels[matrix.panel] ?? {};
    findings.same(FILE, `${at}.validity_matrix_sha256`, validityDigest(matrix), block.validity_matrix_sha256);
    const digests = candidates.ordered
      .filter(({ task }) => task.panel === matrix.panel)
      .map(({ observation }) => observation.digest);
    findings.same(FILE, `${at}.response_artifact_set_sha256`, setDigest(digests), block.response_artifact_set_sha256);
  }
  const { protocol } = frozenCoreSchema.parse(core.document).sources;
  if (protocol !== undefined && assembled.protocol !== undefined)
    findings.same(FILE, 'sources.protocol', protocolName(assembled.protocol), protocolName(protocol));
  proveSets(sources, stated.task_sets, findings);
  const looks = stated.ledgers.reduce((sum, { scores_inspected }) => sum + Number(scores_inspected), 0);
  findings.same(FILE, 'scores_inspected', looks, core.document.scores_inspected);
  findings.same(FILE, 'status', coreStatus(looks), core.document.status);
  proveJournals(assembled, stated.ledgers, findings);
}

function proveSets(sources: ReleaseSources, stated: readonly JsonObject[], findings: Findings): void {
  const known = new Set(sources.files.sets.map((set) => set.physicalSha256));
  for (const [i, set] of stated.entries())
    if (!known.has(dataText(set.physical_sha256)))
      findings.add({
        file: FILE,
        at: `sources.task_sets[${i}].physical_sha256`,
        expected: 'the digest of a task file of the release',
        found: shown(set.physical_sha256),
      });
}

/** The chain each journal had when the core was frozen, and every record in it. */
function proveJournals(
  { candidates, journals }: AssembledRelease,
  stated: readonly JsonObject[],
  findings: Findings,
): void {
  let lines = 0;
  findings.same(FILE, 'sources.ledgers', journals.length, stated.length);
  journals.forEach(({ name, journal }, ledger) => {
    lines += journal.lines;
    const head = stated[ledger]?.journal_head;
    if (!journal.heads.has(dataText(head)))
      findings.add({
        file: name,
        at: 'the chain',
        expected: `to pass ${dataText(head)}, where the core was frozen`,
        found: `to end at ${journal.head} without it`,
      });
    else
      findings.same(
        FILE,
        `sources.ledgers[${ledger}].scores_inspected`,
        journal.heads.get(dataText(head)),
        stated[ledger]?.scores_inspected,
      );
    if (journal.withheld > 0) findings.note(`${name}: ${journal.withheld} lines about locks are there by digest only`);
    for (const { observation } of candidates.ordered) {
      const { record } = observation;
      if (observation.ledger !== ledger || record === null) continue;
      const who = `${observation.model}, ${record.task_id}`;
      if (!journal.records.has(observation.digest))
        findings.add({
          file: name,
          at: who,
          expected: `record ${observation.digest}`,
          found: 'no such line',
        });
      const missing = record.attempt_event_sha256s.find((sha) => !journal.events.has(sha));
      if (missing !== undefined)
        findings.add({ file: name, at: who, expected: `event ${missing}`, found: 'no such line' });
    }
  });
  if (lines > 0) findings.done('journal lines against the chain', lines);
}
