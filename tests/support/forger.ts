import { readArrow } from '../../src/io/arrow.js';
import { canonicalDigest, canonicalJson, sealed, setDigest } from '../../src/io/canonical.js';
import { sha256 } from '../../src/io/digest.js';
import { sameBytes } from '../../src/io/platform-node.js';
import { parquetFile } from '../../src/io/write-parquet.js';
import { encodeLine } from '../../src/ledger/journal-line.js';
import { manifestOf } from '../../src/release/manifest.js';

export type Files = ReadonlyMap<string, Uint8Array>;
type Json = Record<string, unknown>;

const encoder = new TextEncoder();
export const textOf = (files: Files, name: string): string => new TextDecoder().decode(files.get(name));
export const documentOf = (files: Files, name: string): Json => JSON.parse(textOf(files, name)) as Json;
export const withText = (files: Files, name: string, text: string): Files =>
  new Map([...files, [name, encoder.encode(text)]]);
export const withDocument = (files: Files, name: string, document: unknown): Files =>
  withText(files, name, `${canonicalJson(document)}\n`);

const RESPONSE = ',"response":';

/** The record in a line of observations.jsonl. */
export function recordIn(line: string): Json {
  return JSON.parse(line.slice(line.indexOf(RESPONSE) + RESPONSE.length, -1)) as Json;
}

/** A line of observations.jsonl with another record. */
export function withRecord(line: string, record: unknown): string {
  return `${line.slice(0, line.indexOf(RESPONSE))}${RESPONSE}${canonicalJson(record)}}`;
}

/** Writes a journal anew from its events: digests and chain follow. */
export function journalOf(events: readonly unknown[]): string {
  let head = sha256('flavourbench-journal/1');
  return events
    .map((event) => {
      const { line, chain } = encodeLine(event as never, head);
      head = chain;
      return `${line}\n`;
    })
    .join('');
}

export const eventsOf = (journal: string): Json[] =>
  journal
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { event: Json }).event);

/** Digests that a forger changed, by what they were. */
class Changed {
  private readonly now = new Map<string, string>();

  note(was: string, is: string): void {
    if (was !== is) this.now.set(was, is);
  }

  /** A text with every changed digest put right. */
  in(text: string): string {
    return this.now.size === 0 ? text : text.replace(/[0-9a-f]{64}/g, (digest) => this.now.get(digest) ?? digest);
  }
}

/**
 * Puts every digest of a changed release right, as somebody can who has this program: seals of records, the journal with its entries and its
 * chain, sets of answers, seals of documents, digests and sizes of files wherever they are stated, and the manifest. What a digest is not,
 * stays as it was changed.
 */
export async function resealed(honest: Files, forged: Files): Promise<Files> {
  const files = new Map(forged);
  const changed = new Changed();
  const put = (name: string, text: string) => files.set(name, encoder.encode(text));
  const noteFile = (name: string) => {
    const was = honest.get(name);
    const is = files.get(name);
    if (was && is) changed.note(sha256(was), sha256(is));
  };
  for (const name of files.keys()) if (name.startsWith('tasks/')) noteFile(name);
  resealRecords(files, honest, changed, put);
  const order = ['core.json', 'plan.json', 'models.json', 'cases.json', 'inference.json'];
  const documents = [
    ...order,
    ...[...files.keys()].filter((name) => /^analyses\/.*\.json$/.test(name)),
    'release.json',
  ];
  for (const name of [...files.keys()].filter((file) => /^attempts.*\.jsonl$/.test(file))) noteFile(name);
  noteFile('observations.jsonl');
  for (const name of documents) {
    if (!files.has(name)) continue;
    if (name === 'release.json') await reseatDigests(files, honest, changed);
    const before = documentOf(files, name);
    const stated = [before.artifact_sha256, before.results_sha256];
    const document = JSON.parse(changed.in(JSON.stringify(before))) as Json;
    if (name === 'core.json') resealPanels(files, document);
    if (name === 'release.json') resealSets(files, document, honest);
    resealSizes(files, document);
    if (document.results !== undefined) document.results_sha256 = canonicalDigest(document.results);
    const done = sealed(document) as Json;
    put(name, `${canonicalJson(done)}\n`);
    if (typeof stated[0] === 'string') changed.note(stated[0], done.artifact_sha256 as string);
    if (typeof stated[1] === 'string') changed.note(stated[1], done.results_sha256 as string);
    noteFile(name);
    for (const other of ['leaderboard.csv', 'pairwise.csv', 'matrix.arrow']) noteFile(other);
    for (const other of files.keys()) if (/^analyses\/.*\.(?:csv|arrow)$/.test(other)) noteFile(other);
  }
  const stated = forged.get('MANIFEST.json');
  const was = honest.get('MANIFEST.json');
  files.delete('MANIFEST.json');
  const release = documentOf(files, 'release.json').artifact_sha256 as string;
  const { manifest } = manifestOf(
    [...files].map(([name, bytes]) => ({ name, bytes })),
    release,
  );
  const own = stated && was && sha256(stated) !== sha256(was) ? documentOf(forged, 'MANIFEST.json') : undefined;
  put('MANIFEST.json', `${canonicalJson(own === undefined ? manifest : sealed(own))}\n`);
  return files;
}

/** Seals changed records, and enters them so in the journals. */
function resealRecords(
  files: Map<string, Uint8Array>,
  honest: Files,
  changed: Changed,
  put: (name: string, text: string) => void,
): void {
  const journals = [...files.keys()].filter((name) => /^attempts.*\.jsonl$/.test(name));
  const altered = journals.filter((name) => textOf(files, name) !== textOf(honest, name));
  if (textOf(files, 'observations.jsonl') === textOf(honest, 'observations.jsonl') && altered.length === 0) return;
  const chainOf = (text: string) => [...text.matchAll(/"chain":"([0-9a-f]{64})"/g)].map(([, chain]) => chain!);
  const before = new Map(journals.map((name) => [name, chainOf(textOf(honest, name))]));
  const eventsBefore = new Map(journals.map((name) => [name, eventDigests(textOf(honest, name))]));
  const observed = textOf(files, 'observations.jsonl').trimEnd().split('\n');
  // Events first: records cite them; then records: journals name them.
  for (const name of altered) {
    const was = eventsBefore.get(name)!;
    const events = eventsOf(textOf(files, name));
    if (events.length === was.length)
      for (const [i, digest] of eventDigests(journalOf(events)).entries()) changed.note(was[i]!, digest);
  }
  const lines = observed.map((line) => {
    const record = recordIn(line);
    const again = sealed(JSON.parse(changed.in(JSON.stringify(record)))) as Json;
    changed.note(record.artifact_sha256 as string, again.artifact_sha256 as string);
    return withRecord(line, again);
  });
  put('observations.jsonl', `${lines.join('\n')}\n`);
  for (const name of journals) {
    const events = eventsOf(textOf(files, name)).map((event) => JSON.parse(changed.in(JSON.stringify(event))) as Json);
    const text = journalOf(events);
    put(name, text);
    const was = before.get(name)!;
    const now = chainOf(text);
    changed.note(was.at(-1)!, now.at(-1)!);
    if (was.length === now.length) for (const [i, chain] of was.entries()) changed.note(chain, now[i]!);
  }
}

const eventDigests = (journal: string): string[] =>
  [...journal.matchAll(/"event_sha256":"([0-9a-f]{64})"\}$/gm)].map(([, digest]) => digest!);

/** The digest of the set of records of each panel. */
function resealPanels(files: Files, core: Json): void {
  const { panels } = core.common_core as { panels: Record<string, Json> };
  for (const [panel, block] of Object.entries(panels)) {
    const records = textOf(files, 'observations.jsonl').trimEnd().split('\n').map(recordIn);
    const own = records.filter((record) => record.panel === panel);
    block.response_artifact_set_sha256 = setDigest(own.map(({ artifact_sha256 }) => artifact_sha256 as string));
    const lists = block.selected_task_ids_by_family as Record<string, string[]>;
    const { included_families: families } = core.common_core as { included_families: string[] };
    if (families.every((family) => Array.isArray(lists[family])))
      block.selected_task_ids_sha256 = canonicalDigest(families.flatMap((family) => lists[family]!));
  }
}

/** Digests of sets of answers that release.json states, where answers were changed. */
function resealSets(files: Files, release: Json, honest: Files): void {
  if (textOf(files, 'observations.jsonl') !== textOf(honest, 'observations.jsonl')) {
    const { responses } = release.results as { responses: Json & { ranked: Json; panels: Record<string, Json> } };
    const lines = textOf(files, 'observations.jsonl').trimEnd().split('\n');
    const setOf = (keep: (line: string) => boolean) =>
      setDigest(lines.filter(keep).map((line) => recordIn(line).artifact_sha256 as string));
    responses.set_sha256 = setOf(() => true);
    responses.ranked.set_sha256 = setOf((line) => line.startsWith('{"in_core":true'));
    for (const [panel, own] of Object.entries(responses.panels))
      own.set_sha256 = setOf((line) => recordIn(line).panel === panel);
  }
}

/** Sizes of the files that a document names as its inputs. */
function resealSizes(files: Files, { inputs }: Json): void {
  if (!Array.isArray(inputs)) return;
  const sizes = new Map([...files].map(([, bytes]) => [sha256(bytes), bytes.length]));
  for (const input of inputs as Json[]) {
    const size = sizes.get(input.sha256 as string);
    if (size !== undefined && typeof input.bytes === 'number') input.bytes = size;
  }
}

/** Puts changed digests right in the card and in tables: an Arrow file holds them as they are, of a Parquet file all is written anew. */
async function reseatDigests(files: Map<string, Uint8Array>, honest: Files, changed: Changed): Promise<void> {
  for (const [name, bytes] of files)
    if (name === 'README.md' || name.endsWith('.arrow'))
      files.set(name, Buffer.from(changed.in(Buffer.from(bytes).toString('latin1')), 'latin1'));
  const name = 'observations.arrow';
  if (sameBytes(files.get('observations.jsonl')!, honest.get('observations.jsonl')!)) return;
  const table = await readArrow(files.get(name)!, name);
  const columns = table.names.map((column) => {
    const values = [...(table.column(column) as unknown[])];
    return { name: column, kind: KINDS[column] ?? (DOUBLES.has(column) ? 'float64' : 'text'), values } as never;
  });
  files.set('observations.parquet', await parquetFile({ columns }));
}

/** Kinds of the columns of observations.arrow that are neither texts nor doubles. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ in_core: 'bool', completed: 'bool', optimal: 'bool', rank_eligible: 'bool' },
  ...{ ledger: 'int32', score_bps: 'int32' },
};
const DOUBLES = new Set(['prompt_tokens', 'completion_tokens', 'reasoning_tokens', 'cost_micros', 'latency_ms']);
