import { z } from 'zod';
import { isOfSchema } from '../../analyses/analysis.js';
import { contrast } from '../../analyses/contrast/contrast.js';
import { canonicalDigest, canonicalJson } from '../../io/canonical.js';
import { sha256 } from '../../io/digest.js';
import type { JsonObject } from '../../io/json.js';
import { STUDY_PLAN_SCHEMAS } from '../../transfer/condition.js';
import { assertSealedContent, checkedSeal, SEAL_SCHEMAS, type Seal } from '../../transfer/seal-schema.js';
import { assertPlanFirst } from '../../transfer/stage-times.js';
import { checkedStudyPlan, type StudyPlan } from '../../transfer/study-plan-schema.js';
import { studyStanding } from '../../transfer/study-standing.js';
import { FlavourError } from '../../util/error.js';
import { sha256Text } from '../../util/schema.js';
import { dataText } from '../../util/text.js';
import { RNG_ID } from '../../util/version.js';
import { type Witness, witnessesField } from '../../witness/witness.js';
import type { Difference } from '../proofs/differences.js';
import type { ReleaseFile } from '../release-files.js';

/** What the document of a study says of its call, its plan and its seal. */
const studySchema = z.object({
  artifact_sha256: z.string(),
  results_sha256: z.string(),
  rng: z.string().nullable(),
  inputs: z.array(z.object({ role: z.string(), sha256: z.string() })),
  plan: contrast.schema.plan,
  results: z.object({
    stage: z.string(),
    training_seeds: z.array(z.number()),
    per_task: z.array(z.object({ task_id: z.string() })),
  }),
  run: z.looseObject({ response_parser: z.string().optional() }),
  standing: z.discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('planned'),
      plan_sha256: sha256Text,
      witnesses: witnessesField.optional(),
      seal: z.looseObject({ sha256: sha256Text, witnesses: witnessesField.optional() }).optional(),
    }),
    z.looseObject({ kind: z.literal('exploratory') }),
  ]),
});
type Study = z.infer<typeof studySchema>;

type Documents = ReadonlyMap<string, JsonObject>;

/** A document that lies among the analyses, with its name. */
interface Found<T> {
  readonly file: string;
  readonly document: T;
}

const isOneOf = (schemas: readonly string[], { schema }: JsonObject) => schemas.some((id) => id === schema);

function find<T>(
  documents: Documents,
  schemas: readonly string[],
  digest: unknown,
  read: (document: JsonObject, file: string) => T,
): Found<T> | undefined {
  const found = [...documents].find(([, one]) => isOneOf(schemas, one) && one.artifact_sha256 === digest);
  return found && { file: found[0], document: read(found[1], found[0]) };
}

/** Collects where a study says something else than its plan and its seal. */
class Faults {
  readonly found: Difference[] = [];
  constructor(private readonly file: string) {}
  hold(at: string, expected: unknown, found: unknown): void {
    const [own, stated] = [expected, found].map((value) => canonicalJson(value ?? null));
    if (own !== stated) this.found.push({ file: this.file, at, expected: own!, found: stated! });
  }
}

/** The choices of a study that its plan fixes. */
function holdChoices(plan: StudyPlan, study: Study, faults: Faults): void {
  const { alpha, draws, flips, threshold_points, rng } = plan.inference;
  faults.hold('plan.protocol_sha256', plan.artifact_sha256, study.plan.protocol_sha256);
  for (const [key, value] of Object.entries({ alpha, draws, flips, threshold_points }))
    faults.hold(`plan.${key}`, value, study.plan[key as keyof Study['plan']]);
  if (rng !== undefined) faults.hold('rng', RNG_ID[rng], study.rng);
  if (plan.parser !== undefined) faults.hold('run.response_parser', plan.parser, study.run.response_parser);
  faults.hold('results.training_seeds', plan.seeds, study.results.training_seeds);
}

interface KnownSeal {
  readonly document: Seal;
  readonly witnesses: readonly Witness[];
}

/** The seal that a secondary study stands on; a primary one stands on none. */
function sealOf(documents: Documents, study: Study, plan: StudyPlan, faults: Faults): KnownSeal | undefined {
  if (study.standing.kind !== 'planned') return undefined;
  const { seal: stated } = study.standing;
  faults.hold('plan.primary_seal_sha256', stated?.sha256, study.plan.primary_seal_sha256);
  if (study.plan.stage === 'primary') {
    faults.hold('standing.seal', undefined, stated);
    return undefined;
  }
  const seal = find(documents, SEAL_SCHEMAS, stated?.sha256, checkedSeal);
  if (seal === undefined) {
    faults.hold('standing.seal.sha256', 'a seal among the analyses', stated?.sha256);
    return undefined;
  }
  const { document, file } = seal;
  assertSealedContent(plan, document, file);
  faults.hold('standing.plan_sha256', document.protocol_sha256, plan.artifact_sha256);
  const asked = new Set((document.tasks ?? []).map(({ task_id }) => task_id));
  const again = study.results.per_task.find(({ task_id }) => asked.has(task_id));
  faults.hold('results.per_task', undefined, again?.task_id);
  return { document, witnesses: stated?.witnesses ?? [] };
}

function holdPlanned(documents: Documents, files: readonly ReleaseFile[], study: Study, faults: Faults): void {
  const { standing } = study;
  if (standing.kind === 'exploratory') {
    faults.hold('standing', { kind: 'exploratory' }, standing);
    faults.hold('plan.stage', 'primary', study.plan.stage);
    return;
  }
  const plan = find(documents, STUDY_PLAN_SCHEMAS, standing.plan_sha256, checkedStudyPlan);
  if (plan === undefined) {
    faults.hold('standing.plan_sha256', 'a plan among the analyses', standing.plan_sha256);
    return;
  }
  const bytes = files.find(({ name }) => name === plan.file)!.bytes;
  const given = study.inputs.filter(({ role }) => role === 'plan').map(({ sha256: digest }) => digest);
  faults.hold('inputs (plan)', [sha256(bytes)], given);
  holdChoices(plan.document, study, faults);
  const { witnesses = [] } = standing;
  const seal = sealOf(documents, study, plan.document, faults);
  const { artifact_sha256, sealed_at = null } = seal?.document ?? {};
  const known = seal === undefined || seal.witnesses.length === 0 ? {} : { witnesses: seal.witnesses };
  const own = studyStanding(plan.document, witnesses);
  faults.hold(
    'standing',
    seal === undefined ? own : { ...own, seal: { sha256: artifact_sha256, sealed_at, ...known } },
    standing,
  );
  if (seal !== undefined)
    assertPlanFirst({ plan: { ...plan.document, witnesses }, seal: { ...seal.document, witnesses: seal.witnesses } });
}

/** A seal closes a primary study that lies beside it, or opens a secondary one. */
function holdSeal(file: string, document: JsonObject, studies: readonly Found<Study>[]): readonly Difference[] {
  const seal = checkedSeal(document, file);
  const closed = studies.find(
    ({ document: { plan } }) => plan.stage === 'primary' && plan.protocol_sha256 === seal.protocol_sha256,
  );
  const opens = studies.some(({ document: { plan } }) => plan.primary_seal_sha256 === seal.artifact_sha256);
  const faults = new Faults(file);
  if (closed !== undefined) {
    const { artifact_sha256, results_sha256, results } = closed.document;
    faults.hold('analysis_sha256', artifact_sha256, seal.analysis_sha256);
    faults.hold('results_sha256', results_sha256, seal.results_sha256);
    faults.hold('tasks_sha256', canonicalDigest(results.per_task.map(({ task_id }) => task_id)), seal.tasks_sha256);
  } else if (!opens) faults.hold('the file', 'the seal of a study among the analyses', seal.artifact_sha256);
  return faults.found;
}

/**
 * Works out again how the studies of transfer in a release stand to their plans and seals, which lie among the analyses (collection 10.3). Gives how many
 * state it, and where one says something else: no such plan or seal, other choices, a plan that is younger than its seal.
 */
export function plannedStudies(
  documents: Documents,
  files: readonly ReleaseFile[],
): { readonly studies: number; readonly faults: readonly Difference[] } {
  const studies: Found<Study>[] = [];
  const faults: Difference[] = [];
  const attempt = (file: string, at: string, prove: () => readonly Difference[]) => {
    try {
      faults.push(...prove());
    } catch (error) {
      if (!(error instanceof FlavourError)) throw error;
      faults.push({ file, at, expected: 'its plan and its seal', found: error.message });
    }
  };
  for (const [file, document] of documents) {
    if (!isOfSchema(contrast.schema, document.schema) || document.standing === undefined) continue;
    const study = studySchema.safeParse(document);
    if (!study.success) {
      const [issue] = study.error.issues;
      faults.push({ file, at: dataText(issue!.path.join('.')), expected: issue!.message, found: 'another form' });
      continue;
    }
    studies.push({ file, document: study.data });
    attempt(file, 'standing', () => {
      const found = new Faults(file);
      found.hold('results.stage', study.data.plan.stage, study.data.results.stage);
      holdPlanned(documents, files, study.data, found);
      return found.found;
    });
  }
  for (const [file, document] of documents)
    if (isOneOf(SEAL_SCHEMAS, document)) attempt(file, 'the file', () => holdSeal(file, document, studies));
  return { studies: studies.length, faults };
}
