import { latin1Text, sameBytes, utf8Text } from '#platform';
import { canonicalJson, isCanonical } from '../io/canonical.js';
import { sha256 } from '../io/digest.js';
import { parseJson } from '../io/json.js';
import { type ResponseRecord, readRecord } from '../ledger/record.js';
import { type Answer, answerReading, readAnswer } from '../responses/answer.js';
import { type Outcome, outcomeOf } from '../responses/outcome.js';
import { parserName, type SetParser } from '../responses/parser.js';
import { PORTFOLIOS, type Task } from '../tasks/task.js';
import { fail } from '../util/error.js';
import { RELEASE_FILES } from './release-files.js';

/** One answer to one candidate cell, as the release keeps it. */
export interface Observation {
  /** Number of the ledger it came from; null for a response file. */
  readonly ledger: number | null;
  /** Canonical JSON of the ledger's record, or of the row of the response file, in UTF-8. */
  readonly bytes: Uint8Array;
  /** `artifact_sha256` of a record, digest of the text of a row. */
  readonly digest: string;
  readonly model: string;
  readonly answer: Answer;
  readonly record: ResponseRecord | null;
}

/** The release's own reading of an answer: parser and map, nothing that was stored before. */
export interface Scoring {
  readonly parser: SetParser;
  /** Reasoning in the answer was passed over. */
  readonly reasoned: boolean;
  readonly outcome: Outcome;
  readonly selection: string | null;
  /** Null where the answer could not be read. */
  readonly scoreBps: number | null;
  readonly optimal: boolean;
}

const RECORD_HEAD = '{"artifact_sha256":"';

/**
 * Reads the stored text of a record or row and proves it, unless that was done before: the digest of a record, the canonical form of a
 * row. Errors: DIGEST_MISMATCH (exit 4) for a changed one; SCHEMA_INVALID for one that is neither.
 */
export function observationFrom(options: {
  readonly ledger: number | null;
  readonly bytes: Uint8Array;
  readonly file: string;
  readonly line: number;
  readonly proved?: boolean;
}): Observation {
  const { ledger, bytes, file, line, proved = false } = options;
  const text = utf8Text(bytes);
  if (text.startsWith(RECORD_HEAD)) {
    const record = proved ? (JSON.parse(text) as ResponseRecord) : provedRecord(text, file, line);
    return {
      ledger,
      bytes,
      digest: record.artifact_sha256,
      model: record.key.model_id,
      answer: recordAnswer(record),
      record,
    };
  }
  const place = { file, line };
  const row = parseJson(text, place);
  if (!proved && canonicalJson(row) !== text) {
    fail('DIGEST_MISMATCH', place, 'the row is not in canonical form', 'The line was edited after it was written.', {
      exit: 4,
    });
  }
  const answer = readAnswer(row, place);
  return { ledger, bytes, digest: sha256(text), model: answer.model, answer, record: null };
}

/** A record whose text is the canonical form of what it says, so that no key stands in it twice. */
function provedRecord(text: string, file: string, line: number): ResponseRecord {
  const record = readRecord(text, `${file}, line ${line}`);
  if (!isCanonical(record, text))
    fail(
      'DIGEST_MISMATCH',
      { file, line },
      'the record is not in canonical form',
      'The line was edited after it was written.',
      {
        exit: 4,
      },
    );
  return record;
}

function recordAnswer(record: ResponseRecord): Answer {
  return {
    model: record.key.model_id,
    task: record.original_task_id ?? record.task_id,
    panel: record.panel,
    text: record.generation?.answer ?? null,
    selection: null,
    failed: record.status !== 'completed',
    defect: null,
  };
}

/** Tells whether an answer came: its cell counts as completed. */
export function isCompleted({ answer }: Observation): boolean {
  return !answer.failed && answer.defect === null;
}

/** Reads an answer with the release's parser and looks its score up in the task's map. */
export function scoringOf(observation: Observation, task: Task, parser: SetParser): Scoring {
  const { code, reasoned } = answerReading(observation.answer, task, parser);
  return code < 0
    ? { parser, reasoned, outcome: outcomeOf(code), selection: null, scoreBps: null, optimal: false }
    : {
        parser,
        reasoned,
        outcome: 'ok',
        selection: PORTFOLIOS[code]!,
        scoreBps: task.scores[code]!,
        optimal: code === task.optimal,
      };
}

const RESPONSE = ',"response":';
/** Bytes of a line in which the part before the answer ends: of a line that a release has, and of one that is read at all. */
const USUAL_HEAD = 320;
const MOST_HEAD = 4096;

/** The part of an observation line before the answer, as canonical JSON: no text in it needs escaping. */
function lineHead(ledger: number | null, inCore: boolean, scoring: Scoring): string {
  const { parser, optimal, outcome, scoreBps, selection } = scoring;
  const chosen = selection === null ? 'null' : `"${selection}"`;
  return `{"in_core":${inCore},"ledger":${ledger},"release_scoring":{"optimal":${optimal},"outcome":"${outcome}","parser":"${parserName(parser)}","score_bps":${scoreBps},"selection":${chosen}}`;
}

interface ObservedCell {
  readonly observation: Observation;
  readonly inCore: boolean;
  readonly scoring: Scoring;
}

/**
 * Writes the lines of observations.jsonl: canonical JSON, the answer last and byte for byte as it was digested. Where `found` holds just these
 * lines it is returned itself: a verification of a large release needs no second copy.
 */
export function observationLines(cells: readonly ObservedCell[], found?: Uint8Array): Uint8Array {
  if (found && isMadeOf(found, cells)) return found;
  const encoder = new TextEncoder();
  const end = encoder.encode('}\n');
  const pieces = cells.flatMap(({ observation: { ledger, bytes }, inCore, scoring }) => [
    encoder.encode(`${lineHead(ledger, inCore, scoring)}${RESPONSE}`),
    bytes,
    end,
  ]);
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Tells whether `found` holds just the lines of these cells. An answer that was read from it, at its own place, is there. */
function isMadeOf(found: Uint8Array, cells: readonly ObservedCell[]): boolean {
  let at = 0;
  for (const { observation, inCore, scoring } of cells) {
    const { ledger, bytes } = observation;
    const head = `${lineHead(ledger, inCore, scoring)}${RESPONSE}`;
    const [from, to] = [at + head.length, at + head.length + bytes.length];
    if (latin1Text(found, at, from) !== head || found[to] !== 125 || found[to + 1] !== 10) return false;
    const inPlace = bytes.buffer === found.buffer && bytes.byteOffset === found.byteOffset + from;
    if (!inPlace && !sameBytes(found.subarray(from, to), bytes)) return false;
    at = to + 2;
  }
  return at === found.length;
}

const LEDGER = /^\{"in_core":(?:true|false),"ledger":(\d{1,9}),/;

/**
 * Finds the answer in a line of observations.jsonl, and the ledger that the line states. The rest of the line follows from the answer and is
 * held against it as text. Errors: SCHEMA_INVALID.
 */
export function splitLine(
  stored: Uint8Array,
  line: number,
): { readonly ledger: number | null; readonly bytes: Uint8Array } {
  const file = RELEASE_FILES.observations;
  let head = latin1Text(stored, 0, Math.min(stored.length, USUAL_HEAD));
  if (!head.includes(RESPONSE)) head = latin1Text(stored, 0, Math.min(stored.length, MOST_HEAD));
  const at = head.indexOf(RESPONSE);
  if (at < 0 || stored.at(-1) !== 125) {
    fail('SCHEMA_INVALID', { file, line }, 'no response in it', 'Every line of observations.jsonl holds one answer.', {
      exit: 4,
    });
  }
  const ledger = LEDGER.exec(head.slice(0, at))?.[1];
  return {
    ledger: ledger === undefined ? null : Number(ledger),
    bytes: stored.subarray(at + RESPONSE.length, -1),
  };
}

/** Reads the answer in a line of observations.jsonl, proved unless that was done before. Errors: those of `splitLine` and `observationFrom`. */
export function answerIn(stored: Uint8Array, line: number, proved = false): Observation {
  return observationFrom({
    ...splitLine(stored, line),
    file: RELEASE_FILES.observations,
    line,
    proved,
  });
}
