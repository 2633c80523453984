import { utf8Text } from '#platform';
import { canonicalJson, sealed } from '../../io/canonical.js';
import { byteLines } from '../../io/utf8.js';
import { FlavourError, shown } from '../../util/error.js';
import { answerIn, type Observation, observationFrom, splitLine } from '../observation.js';
import { RELEASE_FILES } from '../release-files.js';
import type { Findings } from './findings.js';
import { isShared, type ThreadProofs } from './line-proof.js';

const FILE = RELEASE_FILES.observations;
const NONE = new Uint8Array();

/** A text field read straight off a line: what names a row whose digest is wrong. */
function field(text: string, name: string): string {
  return new RegExp(`"${name}":"((?:[^"\\\\]|\\\\.){1,200})"`).exec(text)?.[1] ?? '?';
}

function rowName(text: string): string {
  return `${field(text, 'model_id')}, ${field(text, 'task_id')}`;
}

/** The answer with its digest put right, so that what follows from a changed answer shows too. */
function lenient(stored: Uint8Array, line: number): Observation | undefined {
  try {
    const { ledger, bytes } = splitLine(stored, line);
    const value = JSON.parse(utf8Text(bytes)) as object | null;
    const stated = typeof value === 'object' && value !== null && 'artifact_sha256' in value;
    const again = canonicalJson(stated ? sealed(value) : value);
    return observationFrom({ ledger, bytes: new TextEncoder().encode(again), file: FILE, line });
  } catch (error) {
    if (error instanceof FlavourError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The answer in a line that another thread proves meanwhile; undefined where it cannot be read: its proof will say why. */
function readUnproved(stored: Uint8Array, line: number): Observation | undefined {
  try {
    return answerIn(stored, line, true);
  } catch {
    return undefined;
  }
}

/** Reads every answer of observations.jsonl, each proved against its digest, here or meanwhile on a thread. */
export async function proveObservations(
  file: Uint8Array,
  thread: ThreadProofs['answers'],
  findings: Findings,
): Promise<Observation[]> {
  if (file.at(-1) !== 10) findings.add({ file: FILE, at: 'the end', expected: 'a line end', found: 'none' });
  const read: (Observation | undefined)[] = [];
  if (isShared(file)) for (const stored of byteLines(file)) read.push(readUnproved(stored, read.length + 1));
  const proofs = await thread;
  const observations: Observation[] = [];
  let line = 0;
  for (const stored of byteLines(file)) {
    const sound = proofs?.unsound.has(line + 1) === false ? read[line] : undefined;
    line += 1;
    const observation = sound ?? prove(stored, line, findings);
    if (observation) observations.push(observation);
  }
  const rows = observations.filter(({ record }) => record === null).length;
  if (rows < observations.length) findings.done('answers against their digests', observations.length - rows);
  if (rows > 0) findings.left('where answers without a record come from', rows, 'a row of a file states no digest');
  return observations;
}

/** The answer in a line; where it is not as it was sealed a difference, and what can be read of it. */
function prove(stored: Uint8Array, line: number, findings: Findings): Observation | undefined {
  try {
    return answerIn(stored, line);
  } catch (error) {
    if (!(error instanceof FlavourError)) throw error;
    findings.add({
      file: FILE,
      at: `line ${line} (${rowName(utf8Text(stored))})`,
      expected: 'an answer as it was sealed',
      found: error.message,
    });
    return lenient(stored, line);
  }
}

/** Adds every line that differs from what the answers give when they are parsed and scored again, and the field. */
export function compareLines(expected: Uint8Array, found: Uint8Array, findings: Findings): void {
  if (expected === found) return;
  const left = [...byteLines(expected)];
  const right = [...byteLines(found)];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const a = utf8Text(left[i] ?? NONE);
    const b = utf8Text(right[i] ?? NONE);
    if (a === b) continue;
    const at = `line ${i + 1} (${rowName(a || b)})`;
    const [want, is] = [scoringText(a), scoringText(b)];
    findings.add({
      file: FILE,
      at: want === is ? at : `${at}, release_scoring`,
      expected: want === is ? shown(a.slice(-60)) : want,
      found: want === is ? shown(b.slice(-60)) : is,
    });
  }
}

function scoringText(line: string): string {
  return line.slice(0, Math.max(0, line.indexOf(',"response":')));
}
