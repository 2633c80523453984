import { sameBytes, utf8Text } from '#platform';
import { readArrow } from '../../io/arrow.js';
import { canonicalJson } from '../../io/canonical.js';
import type { TableBound } from '../../io/held/table-bound.js';
import { parseObject } from '../../io/json.js';
import { readParquet } from '../../io/parquet.js';
import { VERSION } from '../../util/version.js';
import type { Inventory, ReleaseFile } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import { csvDifferences, jsonDifferences, tableDifferences, textDifferences } from './differences.js';
import type { Findings } from './findings.js';

/** Adds the difference that a file is not there. */
export function missing(findings: Findings, file: string): void {
  findings.add({ file, at: 'the file', expected: 'a file', found: 'none' });
}

/**
 * Holds a file of a release against the one that was made again: every byte, and where they differ the cells, paths or lines that do. Arrow and
 * Parquet files that another version of the program wrote may be packed otherwise: of those every cell is compared.
 */
export async function compareFile(
  { name, bytes }: ReleaseFile,
  files: Inventory,
  { rules, version }: Pick<ReleaseSources, 'rules' | 'version'>,
  findings: Findings,
): Promise<void> {
  const found = files.get(name);
  if (!found) return missing(findings, name);
  if (sameBytes(bytes, found)) return;
  const most = 2 * bytes.length + MORE_BYTES;
  if (found.length > most) {
    findings.add({ file: name, at: 'its size', expected: `at most ${most} bytes`, found: `${found.length} bytes` });
    return;
  }
  const packed = /\.(?:arrow|parquet)$/.exec(name)?.[0];
  if (packed === undefined) {
    findings.attempt(name, () => compareText(name, utf8Text(bytes), utf8Text(found), findings));
    return;
  }
  const before = findings.count;
  await findings.attemptAsync(name, () =>
    packed === '.arrow' ? compareArrow(name, bytes, found, findings) : compareParquet(name, bytes, found, findings),
  );
  if (findings.count === before && rules === 2 && version === VERSION)
    findings.add({ file: name, at: 'its bytes', expected: 'the released form', found: 'another form' });
}

/** Adds every place where a derived text differs from what was computed anew: by cell, by path or by line. */
export function compareText(name: string, expected: string, found: string, findings: Findings): void {
  if (expected === found) return;
  const before = findings.count;
  if (name.endsWith('.csv')) findings.addAll(csvDifferences(name, expected, found));
  else if (name.endsWith('.json')) {
    const document = parseObject(found, { file: name });
    findings.addAll(jsonDifferences(name, JSON.parse(expected), document));
    if (`${canonicalJson(document)}\n` !== found)
      findings.add({ file: name, at: 'its bytes', expected: 'canonical JSON', found: 'another form' });
  } else findings.addAll(textDifferences(name, expected, found));
  if (findings.count === before)
    findings.add({ file: name, at: 'its bytes', expected: 'the released form', found: 'another form' });
}

/** Columns that a table may have beside those that it should have: each is a difference, and named. */
const MORE_COLUMNS = 16;
/** Bytes that a file may have more than it should, and what its parts may unpack to for each byte that it should have. */
const MORE_BYTES = 2 ** 24;
const UNPACKED = 1024;

/** What a table can hold that should be this one: not many more rows, and texts not much longer. */
function boundOf(made: Uint8Array, { rows, names }: { rows: number; names: readonly string[] }): TableBound {
  const most = 2 * rows + 1024;
  return {
    rows: most,
    cells: most * (names.length + MORE_COLUMNS),
    bytes: MORE_BYTES + UNPACKED * made.length,
    place: 'this table of the release',
  };
}

async function compareArrow(name: string, made: Uint8Array, bytes: Uint8Array, findings: Findings): Promise<void> {
  const expected = await readArrow(made, name);
  const found = await readArrow(bytes, name, boundOf(made, expected));
  findings.addAll(tableDifferences(name, expected, found));
  for (const key of new Set([...expected.metadata.keys(), ...found.metadata.keys()]))
    findings.same(name, `metadata ${key}`, expected.metadata.get(key) ?? 'none', found.metadata.get(key) ?? 'none');
}

async function compareParquet(name: string, made: Uint8Array, bytes: Uint8Array, findings: Findings): Promise<void> {
  const expected = await readParquet(made, name);
  findings.addAll(tableDifferences(name, expected, await readParquet(bytes, name, boundOf(made, expected))));
}
