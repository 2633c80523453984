import { canonicalDigest, canonicalJson } from '../io/canonical.js';
import { fail, shown } from '../util/error.js';

/**
 * What an answer was drawn with, as its request stated it: temperature, nucleus, seed and their like. A value that a route leaves to its
 * endpoint is absent, and limits of length are no part of it: they say where an answer ends, and each endpoint has its own.
 */
export type Decoding = Readonly<Record<string, unknown>>;

const LIMITS: ReadonlySet<string> = new Set(['max_tokens', 'max_completion_tokens']);

/** What released documents write where an endpoint takes no such value. */
const UNSUPPORTED = 'provider_fixed_unsupported';

/** Members of an extra body that change how tokens are drawn, under the name that they share with a value of decoding, or their own. */
const DRAWN = new Map<string, string>([
  ['random_seed', 'seed'],
  ...`
  best_of do_sample dry_allowed_length dry_base dry_multiplier dry_penalty_last_n dry_sequence_breakers dynatemp_exponent dynatemp_range
  frequency_penalty greedy length_penalty logit_bias min_p mirostat mirostat_eta mirostat_tau no_repeat_ngram_size num_beams penalty_alpha
  presence_penalty repeat_last_n repeat_penalty repetition_penalty samplers tfs_z top_a top_k top_n_tokens typical typical_p use_beam_search
  xtc_probability xtc_threshold
  `
    .trim()
    .split(/\s+/)
    .map((name) => [name, name] as const),
]);

/** Gathers what an answer was drawn with: from the decoding of its key, and from the extra body where its plan says one. */
export function decodingOf(stated: Decoding, extraBody: Readonly<Record<string, unknown>> = {}): Decoding {
  const own = Object.entries(stated).filter(([name]) => !LIMITS.has(name));
  const extra = Object.entries(extraBody).flatMap(([name, value]) =>
    DRAWN.has(name) ? [[DRAWN.get(name)!, value] as const] : [],
  );
  return Object.fromEntries([...extra, ...own].filter(([, value]) => value !== null && value !== UNSUPPORTED));
}

/** Makes a reader of what the answers of records were drawn with, which gives records of one contract one object. */
export function decodingReader(): (
  key: { readonly protocol_sha256: string; readonly decoding: Decoding },
  extraBody: Readonly<Record<string, unknown>> | undefined,
) => Decoding {
  const known = new Map<string, Decoding>();
  return ({ protocol_sha256, decoding }, extraBody) => {
    const name = `${protocol_sha256} ${JSON.stringify(decoding)}`;
    const found = known.get(name) ?? decodingOf(decoding, extraBody);
    known.set(name, found);
    return found;
  };
}

/** Tells whether two decodings state no value otherwise: what one leaves to its endpoint contradicts nothing. */
export function agrees(one: Decoding, other: Decoding): boolean {
  return Object.entries(one).every(
    ([name, value]) => !Object.hasOwn(other, name) || canonicalJson(value) === canonicalJson(other[name]!),
  );
}

/** Writes values as `temperature 0, top_p 1`. */
function valuesText(decoding: Decoding): string {
  return Object.keys(decoding)
    .sort()
    .map((name) => `${name} ${canonicalJson(decoding[name]!)}`)
    .join(', ');
}

/** Names a decoding by its values and their digest. */
export function decodingName(decoding: Decoding): string {
  return `${valuesText(decoding)} ${canonicalDigest(decoding)}`;
}

/** Says in a sentence what answers were drawn with; empty where they state nothing. */
export function decodingWords(decoding: Decoding): string {
  return Object.keys(decoding).length === 0
    ? ''
    : `Answers were drawn with ${valuesText(decoding)}; a route that leaves one of them out leaves it to its endpoint.`;
}

/** A decoding and the models that have cells under it. */
interface DecodingGroup {
  readonly decoding: Decoding;
  readonly models: Set<string>;
}

/** Cells by model, with what each was drawn with. */
type DrawnCells = ReadonlyMap<string, ReadonlyMap<string, { readonly decoding: Decoding }>>;

function groupsOf(cells: DrawnCells): readonly DecodingGroup[] {
  const groups = new Map<string, DecodingGroup>();
  // Cells of one contract share the object.
  const names = new Map<Decoding, string>();
  for (const [model, row] of cells)
    for (const { decoding } of row.values()) {
      const name = names.get(decoding) ?? canonicalJson(decoding);
      names.set(decoding, name);
      const group = groups.get(name) ?? { decoding, models: new Set() };
      groups.set(name, group);
      group.models.add(model);
    }
  return [...groups.values()];
}

const NAMED = 4;

/** Names models, the first few of many. */
export function namesOf(models: ReadonlySet<string>): string {
  const names = [...models];
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `${names.slice(0, NAMED).join(', ')}${more}`;
}

/**
 * Refuses to put cells side by side that were drawn with different values of one parameter, and gives the values of all. Errors: DECODING_MIXED
 * with the values, digest and models of each decoding that states it.
 */
export function assertOneDecoding(cells: DrawnCells): Decoding {
  const groups = groupsOf(cells);
  const all: Record<string, unknown> = {};
  for (const { decoding } of groups)
    for (const [name, value] of Object.entries(decoding)) {
      if (agrees({ [name]: value }, all)) {
        all[name] = value;
        continue;
      }
      const stating = groups.filter((group) => Object.hasOwn(group.decoding, name));
      const texts = stating.map((group) => `${decodingName(group.decoding)} (${namesOf(group.models)})`);
      fail(
        'DECODING_MIXED',
        null,
        `answers drawn with different values of ${name} are never compared: ${texts.join('; ')}`,
        `Freeze one core a value: \`core freeze --decoding ${name}=${canonicalJson(all[name]!)}\` keeps the models that do not contradict it. Of answers in files, leave the others out with --without.`,
      );
    }
  return all;
}

/** Reads values given as `temperature=0`. Errors: USAGE. */
export function namedDecoding(texts: readonly string[]): Decoding {
  const pairs = texts.flatMap((text) => text.split(',')).map((text) => text.split(/=(.*)/s, 2));
  const wrong = pairs.find(([name, value]) => !name || !value || LIMITS.has(name));
  if (wrong !== undefined)
    fail(
      'USAGE',
      null,
      `--decoding: a name and a value expected, found ${shown(wrong.join('='))}`,
      'Write temperature=0, or temperature=0,seed=7; limits of length may differ and are not named.',
    );
  return Object.fromEntries(pairs.map(([name, value]) => [name!, givenValue(value!)]));
}

function givenValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
