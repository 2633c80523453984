import { useEffect, useState } from 'preact/hooks';
import { testWords } from '../../inference/decisions/decision-words.js';
import { statedInferencePlan } from '../../inference/plan.js';
import { LIMITS } from '../../release/statement.js';
import { counted, thousands } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { releaseWords } from '../release-words.js';
import type { RankedProps } from './registry.js';
import { Scroll } from './scroll.js';

/** What each choice of a plan means; those of no interest to a reader are left to the table. */
const MEANING: Readonly<Record<string, string>> = {
  draws: 'bootstrap draws: standard errors, intervals, how ranks vary',
  flips: 'sign-flip draws, where not every sign vector is counted',
  seed: 'of the counter-based generator; the same seed gives the same digits anywhere',
  strata: 'parts whose means weigh the same in a score',
  scheme: 'clusters are drawn over all tasks (joint) or inside each stratum',
  alpha: 'familywise error rate; intervals cover the rest',
  test: 'how two models are compared',
  multiplicity: 'how the error of all comparisons together is kept',
  interval: 'how the intervals of scores are formed',
  rank_sets: 'from which draws the allowed ranks are formed',
  margin: 'points within which two models count as equal',
  missing: 'what happens where cells are missing',
  against: 'the model that all others are compared with',
};

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
    <>
      <p>
        {counted(inference.models.length, 'model')}, {counted(inference.tasks, 'task')} in{' '}
        {counted(inference.clusters, 'cluster')}
        {inference.effectiveClusters !== null &&
          `, which weigh as ${inference.effectiveClusters.toFixed(1)} equal ones do`}
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
      <h3>Plan</h3>
      <Scroll label="Plan">
        <table class="facts">
          <tbody>
            {plan.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value === null ? 'none' : typeof value === 'number' ? thousands(value) : String(value)}</td>
                <td class="muted">{MEANING[name] ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
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
    </>
  );
}
