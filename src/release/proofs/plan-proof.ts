import { tasksDigest } from '../../inference/analysis-plan.js';
import { knownSince } from '../../witness/span.js';
import type { Trust } from '../../witness/witness.js';
import type { AssembledRelease } from '../assemble.js';
import { planTime, planTimeWords } from '../plans/plan-time.js';
import { RELEASE_FILES } from '../release-files.js';
import type { ReleaseSources } from '../release-sources.js';
import type { Findings } from './findings.js';
import { proveWitnesses } from './witness-proof.js';

/**
 * Proves the witnesses of the plan, and adds a difference where scores were looked at before it was known, as far as records show; else says
 * what they show.
 */
export async function provePlan(
  { analysisPlan, core }: ReleaseSources,
  { candidates, journals }: AssembledRelease,
  trust: Trust,
  findings: Findings,
): Promise<void> {
  if (analysisPlan === null) return;
  const { plan, bytes, witnesses, token } = analysisPlan;
  const ids = core?.plan.ids ?? [];
  if (plan.core !== null && plan.core.tasks_sha256 === tasksDigest(ids))
    findings.same(RELEASE_FILES.plan, 'core.tasks', ids.length, plan.core.tasks);
  const tokens = token === null ? [] : [{ name: RELEASE_FILES.planToken, bytes: token }];
  const stamped = witnesses.some(({ kind }) => kind === 'rfc3161');
  if (token !== null && !stamped)
    findings.add({
      file: RELEASE_FILES.planToken,
      at: 'the file',
      expected: 'none, as release.json has it',
      found: 'a token',
    });
  const document = { file: RELEASE_FILES.plan, bytes, document: plan };
  await proveWitnesses({ document, witnesses, tokens, trust, findings });
  if (witnesses.length === 0)
    findings.note(`${RELEASE_FILES.plan}: its time is its own statement, with neither a time-stamp token nor a commit`);
  const time = planTime(knownSince(plan.frozen_at, witnesses), candidates, journals);
  const words = planTimeWords(time);
  if (time.late)
    findings.add({
      file: RELEASE_FILES.plan,
      at: 'frozen_at',
      expected: `no later than ${time.firstLook?.at}`,
      found: `${plan.frozen_at}: ${words}`,
    });
  else if (time.beforeAnswers) findings.done('analysis plan frozen before every ranked answer', 1);
  else findings.note(`${RELEASE_FILES.plan}: ${words}`);
}
