import type { LedgerStatus, StatusCounts } from '../../ledger/ledger-status.js';
import { counted, thousands } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { dollars, outcomeWords } from '../model-answers.js';
import { Answers } from './model.js';
import type { ViewProps } from './registry.js';
import { Scroll } from './scroll.js';

/** What a ledger holds: how far the collection is, what failed, what it cost. No score. */
export function Collection({ opened, address, go }: ViewProps) {
  const status = opened.ledger!;
  const { models, total, spending } = status;
  const chosen = models.find(({ model_id }) => model_id === address.model) ?? models[0];
  return (
    <>
      <p>
        {dollars(spending.spent_micros)} spent, {dollars(spending.uncertain_micros)} more where it is not known whether
        a request was charged.
      </p>
      <Scroll label="Models">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Phase</th>
              {COUNTS.map(([name]) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map((row) => (
              <tr key={`${row.phase} ${row.model_id}`}>
                <th scope="row">
                  <button
                    type="button"
                    class="plain"
                    aria-current={row.model_id === chosen?.model_id ? 'true' : undefined}
                    onClick={() => go({ model: row.model_id })}
                  >
                    {plain(row.model_id)}
                  </button>
                </th>
                <td>{row.phase}</td>
                {COUNTS.map(([name, value]) => (
                  <td key={name} class="number">
                    {value(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              <td />
              {COUNTS.map(([name, value]) => (
                <td key={name} class="number">
                  {value(total)}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </Scroll>
      <Failures total={total} />
      {chosen && (
        <>
          <h3>{plain(chosen.model_id)}</h3>
          <Answers opened={opened} model={chosen.model_id} />
        </>
      )}
      <h3>What cannot be concluded</h3>
      <ul class="cannot">
        <li>
          Who is better: no answer of a ledger is scored here, so that a look at scores cannot steer a collection.
        </li>
        <li>That no other answers were collected and left out, or that they came from the models named.</li>
        <li>{inspected(status)}</li>
      </ul>
    </>
  );
}

const COUNTS: readonly (readonly [string, (row: StatusCounts) => string])[] = [
  ['Cells', ({ scheduled }) => thousands(scheduled)],
  ['Answered', ({ completed }) => thousands(completed)],
  ['Readable', ({ parseable }) => thousands(parseable)],
  ['Failed', ({ failed }) => thousands(failed)],
  ['Open', ({ open, rejected }) => thousands(open + rejected)],
  ['Cost', ({ cost_micros }) => dollars(cost_micros)],
];

function inspected({ scores_inspected: looks }: LedgerStatus): string {
  return looks === 0
    ? 'That nobody looked at scores elsewhere: the journal tells of no look.'
    : `That the collection was blind: scores were looked at ${counted(looks, 'time')} before it ended.`;
}

function Failures({ total }: { readonly total: StatusCounts }) {
  const kinds = [...Object.entries(total.failures), ...Object.entries(total.parses).filter(([kind]) => kind !== 'ok')];
  if (kinds.length === 0) return <p>Every answer that came could be read.</p>;
  return (
    <>
      <h3>Failures by kind</h3>
      <Scroll label="Failures by kind">
        <table class="facts">
          <tbody>
            {kinds
              .sort((a, b) => b[1] - a[1])
              .map(([kind, count]) => (
                <tr key={kind}>
                  <th scope="row">{outcomeWords(kind)}</th>
                  <td class="number">{thousands(count)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
