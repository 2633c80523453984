import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { arrowFile } from '../../src/io/arrow/write-arrow.js';
import { readArrow } from '../../src/io/arrow.js';
import { sealed } from '../../src/io/canonical.js';
import { differenceText } from '../../src/release/proofs/differences.js';
import { type ForgedWorld, forgedWorld } from '../support/forged-world.js';
import {
  documentOf,
  eventsOf,
  type Files,
  journalOf,
  recordIn,
  resealed,
  textOf,
  withDocument,
  withRecord,
  withText,
} from '../support/forger.js';
import { type Path, withValue } from '../support/release-leaves.js';

let world: ForgedWorld;
beforeAll(async () => {
  world = await forgedWorld();
}, 300_000);
afterAll(() => world.close());

type Forgery = (files: Files) => Files | Promise<Files>;

async function foundIn(forgery: Forgery): Promise<string[]> {
  const forged = await resealed(world.files, await forgery(world.files));
  return (await world.found(forged)).differences.map(differenceText);
}

const field =
  (name: string, path: Path, value: unknown): Forgery =>
  (files) =>
    withDocument(files, name, withValue(documentOf(files, name), path, value));

const both =
  (...forgeries: readonly Forgery[]): Forgery =>
  async (files) => {
    let forged = files;
    for (const forgery of forgeries) forged = await forgery(forged);
    return forged;
  };

const without =
  (name: string, keys: readonly string[]): Forgery =>
  (files) => {
    const document = documentOf(files, name) as { results: Record<string, unknown> };
    for (const key of keys) delete document.results[key];
    return withDocument(files, name, document);
  };

const added =
  (name: string): Forgery =>
  (files) =>
    withText(files, name, 'MZ');

const JOURNAL = 'attempts.jsonl';
const ANSWERS = 'observations.jsonl';

const journal =
  (change: (events: Record<string, unknown>[]) => readonly unknown[]): Forgery =>
  (files) =>
    withText(files, JOURNAL, journalOf(change(eventsOf(textOf(files, JOURNAL)))));

const answers =
  (change: (lines: string[]) => string[]): Forgery =>
  (files) =>
    withText(files, ANSWERS, `${change(textOf(files, ANSWERS).trimEnd().split('\n')).join('\n')}\n`);

/** Blanks every line of the journal but the first, and leaves digests and chain as they are. */
const blanked: Forgery = (files) => {
  const lines = textOf(files, JOURNAL).split('\n');
  const blank = lines.map((line, i) =>
    i === 0 ? line : line.replace(/"event":\{.*\},"event_sha256"/, '"event":null,"event_sha256"'),
  );
  return withText(files, JOURNAL, blank.join('\n'));
};

const correlations: Forgery = (files) => {
  const name = 'analyses/precision.json';
  const text = JSON.stringify(documentOf(files, name)).replace(/("(?:mean|median|p2_5|p97_5)":)-?[\d.e-]+/g, '$11');
  return withDocument(files, name, JSON.parse(text));
};

/** Analyses of the same models with other scores, which say that they are about this leaderboard. */
const foreign: Forgery = async (files) => {
  const { dir, run } = world;
  const matrix = await readArrow(files.get('matrix.arrow')!, 'matrix.arrow');
  const columns = matrix.names.map((name) => {
    const values = [...(matrix.column(name) as unknown[])];
    const kind = typeof values[0] === 'number' ? 'float64' : 'text';
    return { name, kind, values: name === 'value' ? values.toReversed() : values } as never;
  });
  const { writeFileSync, readFileSync } = await import('node:fs');
  writeFileSync(`${dir}/other.arrow`, arrowFile({ columns, metadata: Object.fromEntries(matrix.metadata) }));
  await run('sensitivity', 'weights', '--scores', `${dir}/other.arrow`, '--quiet', '--out', `${dir}/other`);
  const own = documentOf(files, 'analyses/weights.json');
  const other = JSON.parse(readFileSync(`${dir}/other/weights.json`, 'utf8'));
  let forged = withDocument(files, 'analyses/weights.json', { ...own, results: other.results, about: own.about });
  for (const end of ['csv', 'arrow'])
    forged = new Map([...forged, [`analyses/weights.${end}`, readFileSync(`${dir}/other/weights.${end}`)]]);
  return forged;
};

/** Everything that version 0.1.0 did not write, taken out of release.json and models.json. */
const older = both(
  field('release.json', ['schema'], 'flavourbench-release/1'),
  without('release.json', [
    'protocol',
    'analysis_plan',
    'response_parser',
    'response_parser_sha256',
    'inline_reasoning_answers',
  ]),
  (files) => {
    const roster = documentOf(files, 'models.json') as { models: { routes: { asked?: unknown }[] }[] };
    for (const { routes } of roster.models) for (const route of routes) delete route.asked;
    return withDocument(files, 'models.json', roster);
  },
);

const FORGERIES: readonly (readonly [string, Forgery, RegExp])[] = [
  ['journal lines that were blanked as if they were about locks', blanked, /attempts\.jsonl: its lines: .*without it/],
  [
    'a journal in which a record comes before its requests',
    journal((events) => {
      const at = events.findIndex(({ type }) => type === 'record_written');
      const [record] = events.splice(at, 1);
      const start = events.findIndex(({ cell }) => cell === record!.cell);
      return events.toSpliced(start, 0, { ...record, at: events[start]!.at });
    }),
    /attempts\.jsonl: .*in order and before it/,
  ],
  [
    'a journal in which two lines changed places',
    journal((events) => {
      const late = events.length - 2;
      return events.with(1, events[late]!).with(late, events[1]!);
    }),
    /attempts\.jsonl: /,
  ],
  [
    'a journal that says of a record that it failed',
    journal((events) =>
      events.map((event) =>
        event.type === 'record_written' ? { ...event, status: 'failed', outcome: 'length' } : event,
      ),
    ),
    /attempts\.jsonl: line \d+ .*record_written\.status: expected "?completed/,
  ],
  [
    'a journal without the line of a record',
    journal((events) => events.filter(({ type }, i) => type !== 'record_written' || i % 9 !== 0)),
    /attempts\.jsonl: .*no such line/,
  ],
  [
    'a journal with an event that no ledger writes',
    journal((events) => [...events, { at: events.at(-1)!.at, type: 'audited', by: 'a notary' }]),
    /unknown type/,
  ],
  [
    'a core that says its answers are no simulation',
    field('core.json', ['sources', 'ledgers', 0, 'simulated'], false),
    /core\.json: sources\.ledgers\[0\]\.simulated/,
  ],
  [
    'a core that states other looks at scores than its journal',
    both(
      field('core.json', ['scores_inspected'], 3),
      field('core.json', ['status'], 'frozen_after_scores_were_inspected'),
      field('core.json', ['sources', 'ledgers', 0, 'scores_inspected'], 3),
    ),
    /core\.json: .*scores_inspected/,
  ],
  [
    'a core with other counts of invalid answers',
    field('core.json', ['common_core', 'panels', 'panel_1', 'invalid_candidate_cells_by_model', 'sim/skill-30'], 5),
    /core\.json: .*invalid_candidate_cells_by_model/,
  ],
  [
    'a core that words another rule',
    field('core.json', ['common_core', 'selection_rule'], 'the best tasks'),
    /core\.json: common_core\.selection_rule/,
  ],
  ['precision that is perfect', correlations, /analyses\/precision\.json: results/],
  [
    'a filter at a level of more than one',
    field('analyses/filter.json', ['plan', 'alpha'], 1.5),
    /analyses\/filter\.json: .*alpha/,
  ],
  ['a filter at a level of nothing', field('analyses/filter.json', ['plan', 'alpha'], 0), /filter\.json: .*alpha/],
  [
    'an analysis of other inputs',
    field('analyses/metrics.json', ['inputs', 0, 'sha256'], '1'.repeat(64)),
    /analyses\/metrics\.json: inputs\[0\]\.sha256/,
  ],
  [
    'an analysis of a core with another seed',
    field('analyses/roster.json', ['plan', 'selection_seed'], 'other'),
    /analyses\/roster\.json: plan\.selection_seed/,
  ],
  [
    'an analysis that names other streams',
    field('analyses/filter.json', ['streams', 'subsets'], 9),
    /analyses\/filter\.json: streams/,
  ],
  ['analyses of another leaderboard that say they are about this one', foreign, /analyses\/weights\.json: results/],
  [
    'the table of one analysis in place of that of another',
    (files) => new Map([...files, ['analyses/metrics.arrow', files.get('analyses/weights.arrow')!]]),
    /analyses\/metrics\.arrow: /,
  ],
  [
    'an Arrow twin with the rows of two models swapped',
    async (files) => {
      const table = await readArrow(files.get('models.arrow')!, 'models.arrow');
      const columns = table.names.map((name) => {
        const [first, second, ...rest] = table.column(name) as unknown[];
        const kinds = { string: 'text', boolean: 'bool', number: 'float64', bigint: 'int64' } as const;
        const kind = kinds[typeof (first ?? second) as keyof typeof kinds] ?? 'text';
        return { name, kind, values: [second, first, ...rest] } as never;
      });
      return new Map([
        ...files,
        ['models.arrow', arrowFile({ columns, metadata: Object.fromEntries(table.metadata) })],
      ]);
    },
    /models\.arrow: row 1/,
  ],
  [
    'a Parquet twin of another table',
    (files) => new Map([...files, ['models.parquet', files.get('pairs.parquet')!]]),
    /models\.parquet: /,
  ],
  [
    'bytes that nobody reads, behind a table',
    (files) => new Map([...files, ['pairs.arrow', Buffer.concat([files.get('pairs.arrow')!, Buffer.from('more')])]]),
    /pairs\.arrow: /,
  ],
  [
    'a manifest that names another release.json',
    field('MANIFEST.json', ['release_sha256'], '2'.repeat(64)),
    /MANIFEST\.json: release_sha256/,
  ],
  [
    'a manifest with two entries of one file',
    (files) => {
      const manifest = documentOf(files, 'MANIFEST.json') as { files: object[] };
      return withDocument(files, 'MANIFEST.json', {
        ...manifest,
        files: [{ ...manifest.files[3]!, sha256: '3'.repeat(64) }, ...manifest.files],
      });
    },
    /MANIFEST\.json: /,
  ],
  [
    'a manifest that says more than a manifest does',
    field('MANIFEST.json', ['verified'], true),
    /MANIFEST\.json: verified/,
  ],
  [
    'a page, a program and a hidden file among the analyses',
    both(added('analyses/weights.html'), added('analyses/setup.exe'), added('analyses/.hidden')),
    /analyses\/setup\.exe: the file: expected no such file/,
  ],
  ['a hidden file beside the rest', added('.profile'), /\.profile: the file/],
  [
    'a document that no analysis writes',
    (files) => withDocument(files, 'analyses/audit.json', { schema: 'audit/1', passed: true }),
    /analyses\/audit\.json: /,
  ],
  [
    'records that name a plan of a ledger which is gone',
    (files) => {
      const roster = documentOf(files, 'models.json') as { models: { routes: { asked?: unknown }[] }[] };
      for (const { routes } of roster.models) for (const route of routes) route.asked = null;
      return withDocument(files, 'models.json', roster);
    },
    /no protocol is stated, yet its records name the plan/,
  ],
  [
    'an answer left out that the journal has',
    answers((lines) =>
      lines.filter((line) => !(line.startsWith('{"in_core":false') && recordIn(line).panel === 'panel_2')),
    ),
    /observations\.jsonl: sim\/.*the answer of attempts\.jsonl, found none/,
  ],
  [
    'an answer of another phase',
    answers((lines) => {
      const record = recordIn(lines[0]!) as { key: object };
      return lines.with(0, withRecord(lines[0]!, { ...record, key: { ...record.key, phase: 'retry' } }));
    }),
    /observations\.jsonl: /,
  ],
  [
    'an answer from a ledger that there is not',
    answers((lines) => lines.map((line) => line.replace('"ledger":0', '"ledger":1'))),
    /one of 1 journals/,
  ],
  [
    'a release that takes its protocol out and calls itself one of version 0.1.0',
    both(field('release.json', ['schema'], 'flavourbench-release/1'), without('release.json', ['protocol'])),
    /nothing that version 0\.1\.0 did not write/,
  ],
  [
    'a release that takes everything new out and calls itself one of version 0.1.0',
    older,
    /nothing that version 0\.1\.0 did not write/,
  ],
  ['a release that takes its protocol out', without('release.json', ['protocol']), /release\.json: results\.protocol/],
];

describe('a forger who puts every digest right is found with', () => {
  it('nothing, where nothing was forged', async () => {
    expect(await foundIn((files) => files)).toEqual([]);
    const quick = await world.found(world.files, { quick: true });
    expect(quick.differences).toEqual([]);
    expect(quick.open.filter(({ why }) => why === 'not run again')).toHaveLength(6);
    expect(quick.notes).toContainEqual(expect.stringMatching(/^\d+ of \d+ ranked models are formulas, not models: /));
  });

  it.each(FORGERIES)('%s', async (_, forgery, name) => {
    expect((await foundIn(forgery)).join('\n')).toMatch(name);
  });

  it('keys that stand twice in a document or in an answer', async () => {
    const twice = (text: string) => text.replace('"schema":', '"schema":"x","schema":');
    const document = withText(world.files, 'cases.json', twice(textOf(world.files, 'cases.json')));
    expect((await world.found(document)).differences.map(differenceText).join('\n')).toMatch(/cases\.json: /);
    const lines = textOf(world.files, ANSWERS).split('\n');
    const record = sealed(recordIn(lines[0]!));
    const text = JSON.stringify(record).replace('"panel":', '"panel":"x","panel":');
    const at = lines[0]!.indexOf(',"response":') + 12;
    const forged = withText(world.files, ANSWERS, lines.with(0, `${lines[0]!.slice(0, at)}${text}}`).join('\n'));
    expect((await world.found(forged)).differences.map(differenceText).join('\n')).toMatch(
      /observations\.jsonl: line 1/,
    );
  });
});
