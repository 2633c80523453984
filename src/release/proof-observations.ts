import { canonicalJson, sealed } from '../util/canonical.js';
import { FlavourError, shown } from '../util/error.js';
import { byteLines } from '../util/lines.js';
import type { Findings } from './findings.js';
import { RELEASE_FILES } from './layout.js';
import { type Observation, observationFrom, splitLine } from './observation.js';

const FILE = RELEASE_FILES.observations;

/** A text field read straight off a line: what names a row whose digest is wrong. */
function field(text: string, name: string): string {
  return new RegExp(`"${name}":"((?:[^"\\\\]|\\\\.){1,200})"`).exec(text)?.[1] ?? '?';
}

export function rowName(text: string): string {
  return `${field(text, 'model_id')}, ${field(text, 'task_id')}`;
}

/** The record with its digest put right, so that what follows from a changed answer shows too. */
function lenient(ledger: number | null, text: string, line: number): Observation | undefined {
  try {
    const value = JSON.parse(text) as object;
    const stated = 'artifact_sha256' in value ? sealed(value) : value;
    const again = Buffer.from(canonicalJson(stated));
    return observationFrom({ ledger, bytes: again, file: FILE, line });
  } catch (error) {
    if (error instanceof FlavourError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Every answer of observations.jsonl, each proved against its digest. */
export function proveObservations(file: Buffer, findings: Findings): Observation[] {
  if (file.at(-1) !== 10)
    findings.add({ file: FILE, at: 'the end', expected: 'a line end', found: 'none' });
  const observations: Observation[] = [];
  let line = 0;
  for (const stored of byteLines(file)) {
    line += 1;
    try {
      const { ledger, bytes } = splitLine(stored, FILE, line);
      try {
        observations.push(observationFrom({ ledger, bytes, file: FILE, line }));
      } catch (error) {
        const kept = error instanceof FlavourError && lenient(ledger, bytes.toString('utf8'), line);
        if (kept) observations.push(kept);
        throw error;
      }
    } catch (error) {
      if (!(error instanceof FlavourError)) throw error;
      findings.add({
        file: FILE,
        at: `line ${line} (${rowName(stored.toString('utf8'))})`,
        expected: 'an answer as it was sealed',
        found: error.message,
      });
    }
  }
  findings.done('answers against their digests', observations.length);
  return observations;
}

/** Every line that differs from what the answers give when they are parsed and scored again, and the field. */
export function compareLines(expected: Buffer, found: Buffer, findings: Findings): void {
  if (expected.equals(found)) return;
  const left = [...byteLines(expected)];
  const right = [...byteLines(found)];
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const a = left[i]?.toString('utf8') ?? '';
    const b = right[i]?.toString('utf8') ?? '';
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
