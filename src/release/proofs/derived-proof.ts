import { readArrow } from '../../io/arrow.js';
import { canonicalJson, sealed } from '../../io/canonical.js';
import { parseObject } from '../../io/json.js';
import { readParquet } from '../../io/parquet.js';
import type { AssembledRelease } from '../assemble.js';
import { parquetName, type TableContent } from '../encode.js';
import { type Inventory, RELEASE_FILES, textOf } from '../release-files.js';
import { csvDifferences, jsonDifferences, tableDifferences, textDifferences } from './differences.js';
import type { Findings } from './findings.js';
import { compareLines } from './observation-proof.js';

/** Holds every derived file of a release against what was computed anew. Returns the names it looked at. */
export async function proveDerived(
  files: Inventory,
  assembled: AssembledRelease,
  findings: Findings,
): Promise<string[]> {
  const names: string[] = [RELEASE_FILES.observations];
  const observed = files.get(RELEASE_FILES.observations);
  if (observed) compareLines(assembled.observations, observed, findings);
  findings.done('answers parsed and scored again', assembled.candidates.ordered.length);
  for (const [name, expected] of assembled.texts) {
    names.push(name);
    const found = textOf(files, name);
    if (found === undefined) missing(findings, name);
    else findings.attempt(name, () => compareText(name, expected, found, findings));
  }
  for (const [name, table] of assembled.tables) {
    const arrow = `${name}.arrow`;
    const parquet = parquetName(name);
    names.push(arrow, ...(parquet === null ? [] : [parquet]));
    await findings.attemptAsync(arrow, () => compareArrow(arrow, table, files, findings));
    if (parquet !== null) await findings.attemptAsync(parquet, () => compareParquet(parquet, table, files, findings));
  }
  const { models, pairs } = assembled.inference;
  findings.done('models: score, interval, band, chance test, rank, group', models.length);
  findings.done('pairs: difference, interval, p, Holm, max-T, direction', pairs.length);
  findings.done('score matrix cells', assembled.matrix.values.length);
  findings.done('derived files cell by cell', names.length);
  return names;
}

/** Adds the difference that a file is not there. */
export function missing(findings: Findings, file: string): void {
  findings.add({ file, at: 'the file', expected: 'a file', found: 'none' });
}

/** The version of the program that wrote a document may differ, and with it the digest of the document. */
const ofWriter = (key: string, at: string): boolean =>
  (at === '' && key === 'artifact_sha256') || (at === 'run' && key === 'version');

/** Adds every place where a derived text differs from what was computed anew: by cell, by path or by line. */
export function compareText(name: string, expected: string, found: string, findings: Findings): void {
  if (expected === found) return;
  if (name.endsWith('.csv')) findings.addAll(csvDifferences(name, expected, found));
  else if (name.endsWith('.json')) {
    const document = parseObject(found, { file: name });
    findings.addAll(jsonDifferences(name, JSON.parse(expected), document, { ignore: ofWriter }));
    findings.same(name, 'artifact_sha256', sealed(document).artifact_sha256, document.artifact_sha256);
    if (`${canonicalJson(document)}\n` !== found)
      findings.add({
        file: name,
        at: 'its bytes',
        expected: 'canonical JSON',
        found: 'another form',
      });
  } else findings.addAll(textDifferences(name, expected, found));
}

async function compareArrow(name: string, table: TableContent, files: Inventory, findings: Findings): Promise<void> {
  const bytes = files.get(name);
  if (!bytes) return missing(findings, name);
  const found = await readArrow(bytes, name);
  findings.addAll(tableDifferences(name, table, found));
  for (const [key, value] of Object.entries(table.metadata))
    findings.same(name, `metadata ${key}`, value, found.metadata.get(key));
  const known = table.columns.map((column) => column.name);
  for (const extra of found.names.filter((column) => !known.includes(column)))
    findings.add({
      file: name,
      at: `column ${extra}`,
      expected: 'no such column',
      found: 'a column',
    });
}

async function compareParquet(name: string, table: TableContent, files: Inventory, findings: Findings): Promise<void> {
  const bytes = files.get(name);
  if (!bytes) return missing(findings, name);
  const found = await readParquet(bytes, name);
  findings.addAll(tableDifferences(name, table, found));
}
