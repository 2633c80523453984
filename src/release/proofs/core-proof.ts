import type { z } from 'zod';
import { utf8Text } from '#platform';
import { CORE_PLAN_SCHEMA, coreDocument, coreDocumentSchema } from '../../core/core-document.js';
import { mixedBlocks, unpinnedModels } from '../../core/rankable.js';
import { eligibleTasks, selectCore } from '../../core/select-core.js';
import type { ValidityMatrix } from '../../core/validity.js';
import { canonicalJson } from '../../io/canonical.js';
import { isObject, type JsonObject } from '../../io/json.js';
import { parserName } from '../../responses/parser.js';
import { parserFields } from '../../responses/parser-contract.js';
import { shown } from '../../util/error.js';
import { checked } from '../../util/schema.js';
import type { AssembledRelease } from '../assemble.js';
import { absentCells, type CandidateCells, candidateValidity } from '../candidate-cells.js';
import { standingAt } from '../journal.js';
import { AS_BUILT, RELEASE_FILES } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import { compareText } from './file-proof.js';
import type { Findings } from './findings.js';

const FILE = RELEASE_FILES.core;

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
    // Only a freeze of ours states its ledgers: under another name they would stand there unproved.
    if (isObject(core.document?.sources) && 'ledgers' in core.document.sources)
      findings.same(FILE, 'schema', CORE_PLAN_SCHEMA, core.document.schema);
    findings.left('sources of the core plan', 1, 'it is not of this project: its own digests and the order are proved');
    return;
  }
  const { schema: _, ...stated } = checked(statedCore, core.document, { file: FILE }, AS_BUILT);
  const expected = remadeCore({ sources, assembled, stated, matrices, findings });
  compareText(FILE, `${canonicalJson(expected)}\n`, utf8Text(core.bytes), findings);
  findings.done('core plan: every field', 1);
}

/** What a core plan of ours states that nothing else in a release does: what was asked of the selection, and whom it left out. */
const statedCore = coreDocumentSchema.pick({ schema: true, common_core: true, sources: true });
type StatedCore = Omit<z.output<typeof statedCore>, 'schema'>;

/**
 * Freezes the core of a release again from its answers and journals, by the seed, families and size that its plan states. A plan of version 0.1.0
 * states no protocol.
 */
function remadeCore(options: {
  readonly sources: ReleaseSources;
  readonly assembled: AssembledRelease;
  readonly stated: StatedCore;
  readonly matrices: readonly ValidityMatrix[];
  readonly findings: Findings;
}) {
  const { sources, assembled, stated, matrices, findings } = options;
  const { candidates, journals, protocol, decoding } = assembled;
  const { selection_seed: seed, included_families: families, tasks_per_stratum: size } = stated.common_core;
  const perStratum = stated.common_core.tasks_per_stratum_set_by === 'given' ? size : 'auto';
  const recordsOf = (keep: (cell: CandidateCells['ordered'][number]) => boolean) =>
    candidates.ordered.filter(keep).map(({ observation }) => observation);
  const ledgers = journals.map(({ name, journal }, ledger) => {
    const own = stated.sources.ledgers[ledger];
    const then = standingAt(journal.history, own?.journal_head ?? '');
    if (then === undefined)
      findings.add({
        file: name,
        at: 'the chain',
        expected: `to pass ${own?.journal_head ?? 'a line'}, where the core was frozen`,
        found: `to end at ${journal.head} without it`,
      });
    const used = recordsOf(({ observation }) => observation.ledger === ledger);
    return {
      journal_head: then === undefined ? journal.head : own!.journal_head,
      records: then === undefined ? 0 : recordsThen(then.records, own!.records, journal.records.size),
      cells: used.length,
      simulated: used.some(({ record }) => record?.source === 'simulated'),
      scores_inspected: then?.looks ?? 0,
    };
  });
  const chosen = chosenIn(candidates);
  const ofOld = stated.sources.protocol === undefined;
  const unranked = ({ model_id }: { readonly model_id: string }) => !candidates.models.includes(model_id);
  const leftOut = (stated.sources.left_out_by_protocol ?? []).filter(unranked);
  const drawnOtherwise = (stated.sources.left_out_by_decoding ?? []).filter(unranked);
  return coreDocument({
    selection: selectCore({ matrices, families, seed, perStratum }),
    matrices,
    families,
    provenance: {
      ledgers,
      task_sets: setsAs(stated.sources.task_sets, sources),
      ...(ofOld ? {} : { protocol: protocol ?? null, left_out_by_protocol: leftOut }),
      ...(ofOld || Object.keys(decoding).length === 0 ? {} : { decoding }),
      ...(drawnOtherwise.length === 0 ? {} : { left_out_by_decoding: drawnOtherwise }),
      ...(stated.sources.parser_sha256 === undefined
        ? { parser: parserName(sources.parser) }
        : parserFields(sources.parser)),
      phase: sources.phase,
      records: new Map(
        matrices.map(({ panel }) => [panel, recordsOf(({ task }) => task.panel === panel).map(({ digest }) => digest)]),
      ),
      mixed_contracts: mixedBlocks(chosen),
      unpinned_model_ids: unpinnedModels(chosen),
    },
  });
}

/** Records of a ledger when the core was frozen: those that a stopped writer had not journalled then were counted, and were entered later. */
const recordsThen = (then: number, stated: number, ever: number): number =>
  stated >= then && stated <= ever ? stated : then;

/** What the records of a release say of their routes, as a freeze reads it. */
function chosenIn({ cells }: CandidateCells) {
  return new Map(
    [...cells].map(([model, row]) => [
      model,
      new Map(
        [...row].flatMap(([task, { observation }]) =>
          observation.record ? [[task, { entry: observation.record }]] : [],
        ),
      ),
    ]),
  );
}

/** The task sets of a release, in the order in which a plan states them. */
function setsAs(stated: StatedCore['sources']['task_sets'], { files }: ReleaseSources) {
  const place = (sha256: string) => {
    const at = stated.findIndex(({ physical_sha256 }) => physical_sha256 === sha256);
    return at < 0 ? stated.length : at;
  };
  return files.sets
    .map((set) => ({
      panel: set.panel,
      physical_sha256: set.physicalSha256,
      task_set_sha256: set.taskSetSha256 ?? null,
    }))
    .sort((a, b) => place(a.physical_sha256) - place(b.physical_sha256));
}
