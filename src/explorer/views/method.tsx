import { useEffect, useState } from 'preact/hooks';
import { testWords } from '../../inference/decisions/decision-words.js';
import { statedInferencePlan } from '../../inference/plan.js';
import { LIMITS } from '../../release/statement.js';
import { counted, thousands } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { PLAN_MEANINGS } from '../plan-meanings.js';
import { releaseWords } from '../release-words.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';

/** A name that may go on in the next line behind each `_`. */
const parted = (name: string) =>
  name.split('_').flatMap((part, k) => (k === 0 ? [part] : ['_', <wbr key={k} />, part]));

/** How the page got its figures: data, plan, digests, and what none of it can show. */
export function Method({ opened, result: { inference, took } }: RankedProps) {
  const [digests, setDigests] = useState<readonly (readonly [string, string])[]>([]);
  useEffect(() => {
    let latest = true;
    void opened.digests().then((found) => latest && setDigests(found));
    return () => {
      latest = false;
    };
  }, [opened]);
  const plan = Object.entries(statedInferencePlan(inference.plan));
  return (
    <div class="parts">
      <section class="part">
        <p>
          {counted(inference.models.length, 'model')}, {counted(inference.tasks, 'task')} in{' '}
          {counted(inference.clusters, 'cluster')}
          {inference.effectiveClusters !== null &&
            `, which ${inference.clusters === 1 ? 'weighs' : 'weigh'} as ${inference.effectiveClusters.toFixed(1)} equal ones do`}
          . Compared by {testWords(inference)}. {counted(inference.resolvedPairs, 'pair')} told apart.{' '}
          {took === null
            ? 'Shown as the files state it, not computed here.'
            : `Computed on this machine in ${Math.round(took)} ms.`}
        </p>
        <ul>
          {inference.strata.map(({ label, tasks, clusters }) => (
            <li key={label}>
              {label}: {counted(tasks, 'task')}, {counted(clusters, 'cluster')}
            </li>
          ))}
        </ul>
        {opened.release && (
          <>
            <p>{plain(opened.release.claim)}</p>
            {releaseWords(opened.release).map((words) => (
              <p key={words}>{plain(words)}</p>
            ))}
          </>
        )}
      </section>
      <section class="part">
        <h3>Plan</h3>
        <Scroll label="Plan">
          <table class="facts">
            <tbody>
              {plan.map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{parted(name)}</th>
                  <td>{value === null ? 'none' : typeof value === 'number' ? thousands(value) : String(value)}</td>
                  <td class="muted">{PLAN_MEANINGS[name as keyof typeof PLAN_MEANINGS]}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </section>
      <section class="part">
        <h3>Digests</h3>
        <Scroll label="Digests">
          <table class="facts">
            <tbody>
              {digests.map(([name, digest]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>
                    SHA-256 <code>{digest}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </section>
      <section class="part cannot">
        <h3>What this cannot show</h3>
        <p>
          The page speaks of these tasks and scores as given. It does not say that the tasks measure what they should,
          that scores were collected fairly, or that models were not trained on the tasks. A pair that is not told apart
          is not thereby equal.
        </p>
        {opened.kind === 'release' && (
          <>
            <p>No verification can show:</p>
            <ul>
              {LIMITS.map((limit) => (
                <li key={limit}>{limit}</li>
              ))}
            </ul>
          </>
        )}
      </section>
    </div>
  );
}
