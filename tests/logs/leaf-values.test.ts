import { describe, expect, it } from 'vitest';
import { FlavourError } from '../../src/util/error.js';
import { folderFiles, readFiles } from '../support/log-files.js';

/** An object whose own `toString` is data: `String` of it would throw. */
const ODD = { toString: 0, valueOf: null };

/** Paths of all leaves of a document. */
function leaves(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, item]) => leaves(item, [...path, name]));
}

function replaced(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return ODD;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = replaced(copy[name], rest);
  return copy;
}

const FOLDERS = [
  ...['alpaca-eval', 'evalplus', 'helm', 'inspect-json', 'livecodebench', 'lm-evaluation-harness'],
  ...['mteb', 'promptfoo-json', 'promptfoo-json-lines', 'rliable', 'swe-bench'],
];

describe('an object in place of a value of a log', () => {
  it.each(FOLDERS)('is read or refused with what is wrong, wherever it stands in %s', async (folder) => {
    const files = folderFiles(`fixtures/logs/${folder}`);
    let runs = 0;
    for (const [at, file] of files.entries()) {
      const text = Buffer.from(file.bytes).toString('utf8');
      const lines = file.name.endsWith('.jsonl') ? text.trim().split('\n') : [text];
      const first: unknown = JSON.parse(lines[0]!);
      for (const path of leaves(first).slice(0, 150)) {
        const changed = [JSON.stringify(replaced(first, path)), ...lines.slice(1)].join('\n');
        const given = files.map((other, i) => (i === at ? { ...other, bytes: Buffer.from(changed) } : other));
        runs += 1;
        try {
          const { cells } = await readFiles(given);
          expect(cells.every(({ model, sample }) => typeof model === 'string' && typeof sample === 'string')).toBe(
            true,
          );
        } catch (error) {
          if (!(error instanceof FlavourError)) throw new Error(`${file.name} ${path.join('.')}: ${String(error)}`);
        }
      }
    }
    expect(runs).toBeGreaterThan(10);
  });
});
