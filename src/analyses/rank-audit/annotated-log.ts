import { byRank } from '../../inference/model-ranks.js';
import { citation } from '../../io/envelope.js';
import { isObject, type JsonObject, parseJson } from '../../io/json.js';
import { isInspectHeader } from '../../logs/inspect.js';
import { fail } from '../../util/error.js';
import type { AnnotatedAudit } from './annotations.js';

/** The member of a log that tells the result. */
const MEMBER = 'flavourbench';

/** The model that a log's document is about: of inspect_ai in JSON, or of the results that lm-evaluation-harness writes beside its samples; null of any other. */
function modelOf(document: unknown): string | null {
  if (!isObject(document)) return null;
  if (isInspectHeader(document)) return (document.eval as { readonly model: string }).model;
  const { results, model_name: name } = document;
  return isObject(results) && typeof name === 'string' ? name : null;
}

/** The first member of a document, as it is written; its end is where the rest of the document goes on. */
const memberText = (value: unknown) => `\n${JSON.stringify(MEMBER)}: ${JSON.stringify(value)},`;

/**
 * Writes an audit into the log of one of its models: a first member `flavourbench` with what the scores say of that model; every other byte stays, and an
 * earlier annotation is replaced. Returns null for what is no such log, or is about a model that the audit does not know. Errors: those of reading JSON;
 * SCHEMA_INVALID where the log has a member of that name from elsewhere.
 */
export function annotatedLog(
  { file, text }: { readonly file: string; readonly text: string },
  { outcome, resultsSha256 }: AnnotatedAudit,
): string | null {
  if (!/^\s*\{/.test(text)) return null;
  const document = parseJson(text, { file, overflow: true, nonFinite: true });
  const name = modelOf(document);
  const { inference, plan } = outcome;
  const found = byRank(inference.models).find(({ modelId }) => modelId === name);
  if (found === undefined) return null;
  const { score, pointwise, rankSet, letters, rank } = found;
  const open = text.indexOf('{') + 1;
  const earlier = (document as JsonObject)[MEMBER];
  const before = earlier === undefined ? '' : memberText(earlier);
  if (!text.startsWith(before, open))
    fail(
      'SCHEMA_INVALID',
      { file, path: MEMBER },
      'stands there already, and not as an annotation is written',
      'Take that member out of a copy of the log, and annotate the copy.',
    );
  const member = {
    citation: citation(resultsSha256),
    results_sha256: resultsSha256,
    models: inference.models.length,
    tasks: inference.tasks,
    score,
    interval: pointwise,
    alpha: plan.alpha,
    rank,
    ranks_allowed: rankSet,
    letters,
  };
  return `${text.slice(0, open)}${memberText(member)}${text.slice(open + before.length)}`;
}
