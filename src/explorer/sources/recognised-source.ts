import { utf8Text } from '#platform';
import type { MissingRule } from '../../core/gaps.js';
import { type JsonObject, parseObject } from '../../io/json.js';
import { decodeText } from '../../io/utf8.js';
import { PUBLISHED_SCHEMA } from '../../published/published-view.js';
import { MANIFEST_SCHEMA, RELEASE_FILES, RELEASE_SCHEMAS } from '../../release/release-files.js';
import { fail } from '../../util/error.js';
import { dataText, plain } from '../../util/text.js';
import { membersOf } from './archives.js';
import type { HeldFile } from './held-file.js';
import { isJournal, JOURNAL, openLedger } from './ledger-source.js';
import type { Opened } from './opened.js';
import { openPublished } from './published-source.js';
import { openRelease } from './release-source.js';
import { isResult, openResult, type ReadDocument } from './result-source.js';
import { openTable } from './table-source.js';
import { openTasks } from './task-source.js';

/** Files larger than this are no document of ours. */
const MOST_DOCUMENT = 2 ** 28;

/** How a document of ours names what it is, somewhere in it. */
const OURS = new RegExp(`"schema(?:_version)?"\\s*:\\s*"(?:flavourbench-[a-z-]+/\\d+|${PUBLISHED_SCHEMA})"`);

/**
 * Finds out by their content what given files are, and opens them as that: an archive as the files in it, a release, the published document,
 * results, and otherwise scores in a table or in logs, whose readers say what else it may be (explorer). Errors: those of the openers.
 */
export async function recognise(given: readonly HeldFile[], missing?: MissingRule): Promise<Opened> {
  const files = given.length === 1 ? ((await membersOfFolder(given[0]!)) ?? given) : given;
  const release = await releaseAmong(files);
  if (release) return openRelease(release.place, release.inventory);
  const ledger = await ledgerAmong(files);
  if (ledger) return openLedger(ledger.place, ledger.inventory);
  const documents = await documentsAmong(files);
  const published = documents.find(({ document }) => document.schema_version === PUBLISHED_SCHEMA);
  if (published) return openPublished(published.file, published.document, files);
  const results = documents.filter(({ document }) => isResult(document));
  if (results.length > 0) return openResult(results, files);
  return (
    (await openTasks(files)) ?? openTable(given, missing).catch((error: unknown) => refused(error, documents, files))
  );
}

/** Fails with what readers of scores said, or, where the files are documents of ours that are none of these, with what they are. */
function refused(error: unknown, documents: readonly ReadDocument[], files: readonly HeldFile[]): never {
  const [first] = documents;
  if (first === undefined || documents.length < files.length) throw error;
  const { schema, schema_version } = first.document;
  fail(
    'SCHEMA_INVALID',
    { file: first.file.name },
    `${plain(dataText(schema ?? schema_version))}: a document of this project that no page shows`,
    'Give what infer, rank-audit, sensitivity, power, coverage or transfer contrast wrote, a release, a ledger or scores.',
  );
}

/** The members of an archive of a folder; null for any other file, and for archives that readers of scores know, such as workbooks. */
async function membersOfFolder(file: HeldFile): Promise<HeldFile[] | null> {
  const members = await membersOf(file);
  return members?.some(({ name }) => /(^|\/)(release\.json|MANIFEST\.json|attempts\.jsonl)$/.test(name))
    ? members
    : null;
}

/** The folder with the release among files, and its files by their names in it; null where there is none. */
async function releaseAmong(
  files: readonly HeldFile[],
): Promise<{ readonly place: string; readonly inventory: ReadonlyMap<string, HeldFile> } | null> {
  for (const [name, schemas] of [
    [RELEASE_FILES.release, Object.values(RELEASE_SCHEMAS)],
    [RELEASE_FILES.manifest, [MANIFEST_SCHEMA]],
  ] as readonly (readonly [string, readonly unknown[]])[])
    for (const file of shallowFirst(files.filter((held) => held.name === name || held.name.endsWith(`/${name}`)))) {
      // One that cannot be read is that of a damaged release, which the verification says more of.
      const document = await documentIn(file).catch(() => undefined);
      if (document !== undefined && !schemas.includes(document?.schema)) continue;
      const root = file.name.slice(0, file.name.length - name.length);
      const inventory = new Map(
        files.filter((held) => held.name.startsWith(root)).map((held) => [held.name.slice(root.length), held] as const),
      );
      if (inventory.size === 1)
        fail(
          'INPUT_NOT_FOUND',
          { file: file.name },
          'is one file of a release, and the others are not there',
          'Give the whole folder, or an archive of it.',
        );
      return { place: root.replace(/\/$/, '') || 'release', inventory };
    }
  return null;
}

/** The folder with the ledger among files, and its files by their names in it; null where there is none. */
async function ledgerAmong(
  files: readonly HeldFile[],
): Promise<{ readonly place: string; readonly inventory: ReadonlyMap<string, HeldFile> } | null> {
  for (const file of shallowFirst(files.filter(({ name }) => name === JOURNAL || name.endsWith(`/${JOURNAL}`)))) {
    if (!isJournal(await file.bytes())) continue;
    const root = file.name.slice(0, file.name.length - JOURNAL.length);
    const inventory = new Map(
      files.filter((held) => held.name.startsWith(root)).map((held) => [held.name.slice(root.length), held] as const),
    );
    return { place: root.replace(/\/$/, '') || 'ledger', inventory };
  }
  return null;
}

const depth = ({ name }: HeldFile) => name.split('/').length;
const shallowFirst = (files: readonly HeldFile[]) => [...files].sort((a, b) => depth(a) - depth(b));

/** The document of ours in a file; null where it is none. Errors: those of JSON for one that says that it is ours. */
async function documentIn(file: HeldFile): Promise<JsonObject | null> {
  const bytes = await file.bytes();
  if (!isJson(bytes) || !OURS.test(utf8Text(bytes))) return null;
  return parseObject(decodeText(file.name, bytes), { file: file.name });
}

/** The JSON documents of ours among files, in their order. Errors: those of JSON for one that says that it is ours. */
async function documentsAmong(files: readonly HeldFile[]): Promise<ReadDocument[]> {
  const found: ReadDocument[] = [];
  for (const file of files) {
    if (file.size > MOST_DOCUMENT || !(file.found !== true || file.name.endsWith('.json'))) continue;
    const document = await documentIn(file);
    if (document) found.push({ file, document });
  }
  return found;
}

/** Tells whether the first character that is not blank opens an object. */
function isJson(bytes: Uint8Array): boolean {
  const start = bytes[0] === 0xef ? 3 : 0;
  const at = bytes.subarray(start, start + 4096).findIndex((byte) => byte > 0x20);
  return at >= 0 && bytes[start + at] === 0x7b;
}
