import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differenceText } from '../../src/release/proofs/differences.js';
import { collectedWorld, type ForgedWorld } from '../support/forged-world.js';
import {
  eventsOf,
  type Files,
  journalOf,
  recordIn,
  resealed,
  textOf,
  withRecord,
  withText,
} from '../support/forger.js';

let world: ForgedWorld;
beforeAll(async () => {
  world = await collectedWorld();
}, 300_000);
afterAll(() => world.close());

type Event = Record<string, unknown> & { readonly type: string; readonly cell?: string; readonly at: string };
type Record_ = Record<string, unknown> & { readonly cell: string; readonly attempt_event_sha256s: readonly string[] };
type Forgery = (files: Files) => Files;

const JOURNAL = 'attempts.jsonl';
const ANSWERS = 'observations.jsonl';

async function foundIn(forgery: Forgery): Promise<string> {
  const forged = await resealed(world.files, forgery(world.files));
  return (await world.found(forged, { quick: true })).differences.map(differenceText).join('\n');
}

const journal =
  (change: (events: Event[]) => readonly Event[]): Forgery =>
  (files) =>
    withText(files, JOURNAL, journalOf(change(eventsOf(textOf(files, JOURNAL)) as Event[])));

/** Changes the records for which `of` holds, and what their lines in the journal say of them by `entry`. */
const records =
  (of: (record: Record_) => boolean, change: (record: Record_) => object, entry: object = {}): Forgery =>
  (files) => {
    const lines = textOf(files, ANSWERS).trimEnd().split('\n');
    const cells = new Set<string>();
    const changed = lines.map((line) => {
      const record = recordIn(line) as Record_;
      if (!of(record)) return line;
      cells.add(record.cell);
      return withRecord(line, { ...record, ...change(record) });
    });
    const forged = withText(files, ANSWERS, `${changed.join('\n')}\n`);
    return journal((events) =>
      events.map((event) =>
        event.type === 'record_written' && cells.has(event.cell!) ? { ...event, ...entry } : event,
      ),
    )(forged);
  };

const at = (events: readonly Event[], of: (event: Event) => boolean): number => events.findIndex(of);
const first = (of: (record: Record_) => boolean): ((record: Record_) => boolean) => {
  let cell: string | undefined;
  return (record) => {
    if (cell === undefined && of(record)) cell = record.cell;
    return record.cell === cell;
  };
};
const answered = first(({ status, route }) => status === 'completed' && (route as Route).transport === 'openai');

interface Route {
  readonly transport: string;
}

/** The lines about the requests of the first answer that was written at once, and the places of the two. */
function firstRequest(events: readonly Event[]) {
  const written = at(events, (event) => event.type === 'record_written' && event.status === 'completed');
  const { cell } = events[written]!;
  return { written, cell, start: at(events, (event) => event.type === 'request_started' && event.cell === cell) };
}

const FORGERIES: readonly (readonly [string, Forgery, RegExp])[] = [
  [
    'a journal without its beginning',
    journal((events) => events.slice(1)),
    /attempts\.jsonl: line 1: expected a journal that begins with flavourbench-journal\/1/,
  ],
  [
    'a journal that begins twice',
    journal((events) => [...events.slice(0, 5), { ...events[0]!, at: events[4]!.at }, ...events.slice(5)]),
    /attempts\.jsonl: line 6: expected flavourbench-journal\/1 in line 1/,
  ],
  [
    'an answer that was replaced although it was completed',
    journal((events) =>
      events.map((event) =>
        event.type === 'record_written' && event.status === 'failed' && event.outcome === 'length'
          ? { ...event, status: 'completed', outcome: 'completed' }
          : event,
      ),
    ),
    /attempts\.jsonl: line \d+: expected a retry of a failed answer/,
  ],
  [
    'an answer that was drawn again without a list that asks for it',
    journal((events) => events.filter(({ type }) => type !== 'retry_requested')),
    /attempts\.jsonl: line \d+: expected (?:no request after the record in force|a record to be replaced after a retry)/,
  ],
  [
    'a block of which only a part was put aside',
    journal((events) =>
      events.map((event) =>
        event.type === 'block_quarantined' ? { ...event, records: (event.records as string[]).slice(1) } : event,
      ),
    ),
    /attempts\.jsonl.*(?:the \d+ records of its block, all of them|already in force)/,
  ],
  [
    'a request that no answer cites, before an answer',
    journal((events) => {
      const { start } = firstRequest(events);
      const one = events[start]!;
      return events.toSpliced(start, 0, { ...one, attempt_id: 'one more' });
    }),
    /attempts\.jsonl: .*no line about its cell that it does not cite/,
  ],
  [
    'a request after an answer that nobody asked for again',
    journal((events) => {
      const { start, written } = firstRequest(events);
      return events.toSpliced(written + 1, 0, { ...events[start]!, at: events[written]!.at, attempt_id: 'again' });
    }),
    /attempts\.jsonl: line \d+: expected no request after the record in force/,
  ],
  [
    'the replies of two requests in each other’s place',
    journal((events) => {
      const [one, two] = events.flatMap(({ type }, i) => (type === 'response_received' ? [i] : []));
      const id = (i: number) => ({ attempt_id: events[i]!.attempt_id, cell: events[i]!.cell });
      return events.with(one!, { ...events[two!]!, at: events[one!]!.at, ...id(one!) }).with(two!, {
        ...events[one!]!,
        at: events[two!]!.at,
        ...id(two!),
      });
    }),
    /attempts\.jsonl: line \d+, response_received\.generation_id/,
  ],
  [
    'an answer without any request',
    (files) => {
      const cells = new Set<string>();
      const forged = records(answered, ({ cell }) => {
        cells.add(cell);
        return { attempt_event_sha256s: [] };
      })(files);
      return journal((events) => events.filter(({ type, cell }) => type === 'record_written' || !cells.has(cell!)))(
        forged,
      );
    },
    /attempts\.jsonl: the requests of cell .*: expected a request, found none/,
  ],
  [
    'an answer of another model that counts as one of this',
    records(answered, ({ generation }) => ({ generation: { ...(generation as object), actual_model: 'oa/other' } })),
    /observations\.jsonl: oa\/b, .*generation\.actual_model: expected oa\/b, found oa\/other/,
  ],
  [
    'a collected answer that calls itself a formula’s',
    records(answered, () => ({ source: 'simulated' }), { source: 'simulated' }),
    /observations\.jsonl: oa\/b, .*source: expected collected, found simulated/,
  ],
  [
    'an answer that says it was read otherwise',
    records(answered, ({ parse }) => ({ parse: { ...(parse as object), selection: 'FGH' } })),
    /observations\.jsonl: oa\/b, .*parse\.selection/,
  ],
  [
    'an answer that says a parser read it that there is not',
    records(answered, ({ parse }) => ({ parse: { ...(parse as object), parser: 'final_selection_v9' } })),
    /observations\.jsonl: .*parse\.parser.*final_selection_v9/,
  ],
  [
    'a plan that never had the cells that were asked',
    journal((events) =>
      events.map((event) =>
        event.type === 'schedule_declared'
          ? { ...event, counts: (event.counts as { model_id: string }[]).filter(({ model_id }) => model_id !== 'oa/b') }
          : event,
      ),
    ),
    /attempts\.jsonl: the schedule of .*oa\/b.*expected \d+ cells or more, found none/,
  ],
  [
    'a request of other words than the protocol has',
    journal((events) => {
      const { start } = firstRequest(events);
      const { metadata } = events[start]!;
      return events.with(start, {
        ...events[start]!,
        metadata: { ...(metadata as object), messages_sha256: '4'.repeat(64) },
      });
    }),
    /attempts\.jsonl: line \d+, request_started\.metadata\.messages_sha256/,
  ],
];

describe('a forger of a collection, who puts every digest right, is found with', () => {
  it('nothing, where nothing was forged', async () => {
    expect(await foundIn((files) => files)).toBe('');
    const { checked } = await world.found(world.files, { quick: true });
    const what = 'journal lines about requests against the answers they led to';
    expect(checked.find((row) => row.what === what)?.count).toBeGreaterThan(150);
  });

  it('nothing of what only its makers know, which is listed as not proved', async () => {
    const { checked, open } = await world.found(world.files, { quick: true });
    const answers = checked.find(({ what }) => what === 'answers against their digests')!;
    expect(open).toContainEqual({
      what: 'what records say of their requests: times, identifiers, tokens, costs',
      count: answers.count,
      why: 'held against journal and tables, which their makers wrote too',
    });
  });

  it.each(FORGERIES)('%s', async (_, forgery, name) => {
    expect(await foundIn(forgery)).toMatch(name);
  });
});
