import { VERSION } from '../util/version.js';
import { canonicalJson, canonicalParts } from './canonical.js';
import { sha256, sha256OfParts } from './digest.js';

/** A file that went into a result, known by its bytes and never by its path. */
export interface InputFile {
  readonly role: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** How a result was made; nothing here may change what it says. */
export interface RunFacts {
  readonly backend: string;
  readonly threads: number;
  /** Why this backend was taken. */
  readonly reason: string;
  readonly warnings: readonly string[];
  /** What of the input files was read, and how, where they hold scores (reading 1.15). */
  readonly read?: object;
  /** Parser of the answers that were read, where any were. */
  readonly response_parser?: string;
  /** Digest of its contract. */
  readonly response_parser_sha256?: string;
  /** Version of the program; this one unless given. */
  readonly version?: string;
  /** Milliseconds by stage, only when asked for: with them two runs differ. */
  readonly timings?: Readonly<Record<string, number>>;
}

interface EnvelopeParts<P, R> {
  readonly schema: string;
  readonly plan: P;
  readonly inputs: readonly InputFile[];
  /** Generator id; null where nothing is drawn. */
  readonly rng: string | null;
  readonly seed: bigint | null;
  /** Stream number or replayed seed of each use. */
  readonly streams: Readonly<Record<string, number | string>>;
  readonly results: R;
  /** What the result is about, by digest, where it is about something that others can hold it against. */
  readonly about?: object;
  /** How the result stands to a plan that was frozen before it. */
  readonly standing?: object;
  readonly run: RunFacts;
}

export interface Envelope<P, R> extends Omit<EnvelopeParts<P, R>, 'seed' | 'run'> {
  readonly seed: string | null;
  readonly results_sha256: string;
  readonly canonicalization: 'RFC8785';
  readonly run: RunFacts & { readonly version: string; readonly citation?: string };
  readonly artifact_sha256: string;
}

/** Names a result in one line: the program, its version, and the digest by which the result is found again. */
export const citation = (resultsSha256: string): string => `flavourbench ${VERSION}, results ${resultsSha256}`;

/** Takes the digest of the bytes of an input. */
export function inputFile(role: string, bytes: Uint8Array): InputFile {
  return { role, sha256: sha256(bytes), bytes: bytes.length };
}

/** A document, and its exact text. */
export interface WrittenEnvelope<P, R> {
  readonly document: Envelope<P, R>;
  /** The text in parts that follow one another: that of half a million pairs is not put together to be written. */
  readonly parts: readonly string[];
  readonly text: string;
}

/**
 * Puts the one envelope around a result (statistics 16), and gives its text: RFC 8785, one line, a line end.
 * `results_sha256` covers `results` alone, so it is the same on every backend; `artifact_sha256` covers everything else. A document that is made for
 * its reader says in `run.citation` how it is cited; one of a release, whose run has a version, is cited by the release.
 */
export function envelope<P, R>(given: EnvelopeParts<P, R>): WrittenEnvelope<P, R> {
  const results = canonicalParts(given.results);
  const resultsSha256 = sha256OfParts(results);
  const { version, ...run } = given.run;
  const body = {
    schema: given.schema,
    plan: given.plan,
    inputs: given.inputs,
    rng: given.rng,
    seed: given.seed === null ? null : given.seed.toString(),
    streams: given.streams,
    results: given.results,
    results_sha256: resultsSha256,
    about: given.about,
    standing: given.standing,
    canonicalization: 'RFC8785' as const,
    run: version === undefined ? { version: VERSION, citation: citation(resultsSha256), ...run } : { version, ...run },
  };
  const document = { ...body, artifact_sha256: sha256OfParts(spliced(body, results)) };
  const parts = [...spliced(document, results), '\n'];
  return {
    document,
    parts,
    get text() {
      return parts.join('');
    },
  };
}

/** Canonical text, in parts, of a document whose `results` are already canonical: large results are serialised once. */
function spliced(document: { readonly results: unknown }, results: readonly string[]): string[] {
  const fields = Object.entries(document)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, value], k) => [
      `${k === 0 ? '{' : ','}${JSON.stringify(key)}:`,
      ...(key === 'results' ? results : [canonicalJson(value)]),
    ]);
  return [...fields, '}'];
}
