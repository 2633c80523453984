import type { AnswerPlace } from '../answer.js';
import type { ChoiceIndex } from '../choices.js';
import { parseLine } from '../line-parser.js';
import { type AnswerCode, outcomeOf, selectionOf } from '../outcome.js';
import { type ParserVersion, readText } from '../parser.js';

/** What became of a selection between two parsers. */
type ChangeKind = 'gained' | 'lost' | 'moved';

/** A row of which two parsers read another selection. */
export interface Change {
  readonly file: string;
  readonly line: number | null;
  readonly row: number | null;
  readonly model: string;
  readonly task: string;
  readonly from: ParserVersion;
  readonly to: ParserVersion;
  readonly kind: ChangeKind;
  /** The selection, else the reason why there is none. */
  readonly before: string;
  readonly after: string;
}

/** How often one parser read what another did not, by model: those of parts add up. */
export interface ChangeCount {
  readonly from: ParserVersion;
  readonly to: ParserVersion;
  readonly kind: ChangeKind;
  /** The outcomes of the two, `ok` for any selection. */
  readonly before: string;
  readonly after: string;
  readonly model: string;
  readonly rows: number;
}

const read = (text: string, choices: ChoiceIndex, version: ParserVersion): AnswerCode =>
  version === 'v1' || version === 'v2' ? parseLine(text, version) : readText(text, choices, version).code;

const said = (code: AnswerCode): string => selectionOf(code).key ?? outcomeOf(code);

/** Opens what compares parsers, each with the one before it, over the texts of answers. */
export function comparison(versions: readonly ParserVersion[]) {
  let changes: Change[] = [];
  let counts = new Map<string, { -readonly [K in keyof ChangeCount]: ChangeCount[K] }>();
  return {
    look(text: string, choices: ChoiceIndex, model: string, task: string, place: AnswerPlace): void {
      const codes = versions.map((version) => read(text, choices, version));
      for (let k = 1; k < codes.length; k += 1) {
        const [a, b] = [codes[k - 1]!, codes[k]!];
        if (a === b || (a < 0 && b < 0)) continue;
        const [from, to] = [versions[k - 1]!, versions[k]!];
        const kind: ChangeKind = a < 0 ? 'gained' : b < 0 ? 'lost' : 'moved';
        const { file, line = null, item: row = null } = place;
        changes.push({ file, line, row, model, task, from, to, kind, before: said(a), after: said(b) });
        const [before, after] = [outcomeOf(a), outcomeOf(b)];
        const key = [from, to, kind, before, after, model].join('\0');
        const count = counts.get(key);
        if (count) count.rows += 1;
        else counts.set(key, { from, to, kind, before, after, model, rows: 1 });
      }
    },
    /** The changes since the last call. */
    take(): { readonly changes: readonly Change[]; readonly counts: readonly ChangeCount[] } {
      const taken = { changes, counts: [...counts.values()] };
      changes = [];
      counts = new Map();
      return taken;
    },
  };
}

/** Adds up the counts of parts. */
export function addChanges(parts: Iterable<readonly ChangeCount[]>): ChangeCount[] {
  const sums = new Map<string, ChangeCount>();
  for (const part of parts)
    for (const count of part) {
      const { from, to, kind, before, after, model } = count;
      const key = [from, to, kind, before, after, model].join('\0');
      const sum = sums.get(key);
      sums.set(key, sum ? { ...sum, rows: sum.rows + count.rows } : count);
    }
  return [...sums.values()];
}
