import { describe, expect, it } from 'vitest';
import { planTime, planTimeWords } from '../../src/release/plans/plan-time.js';
import { knownSince, type TimeSpan } from '../../src/witness/span.js';
import type { Witness } from '../../src/witness/witness.js';

const token = (at: string): Witness => ({ kind: 'rfc3161', status: 'verified', at, token_sha256: 'a'.repeat(64) });
const commit = (at: string | null): Witness => ({ kind: 'git', status: 'stated', at, commit: 'b'.repeat(40) });
const STATED = '2026-08-20T00:00:00.000Z';
const later = '2026-08-22T00:00:00Z';
const known = (...witnesses: Witness[]) => knownSince(STATED, witnesses);

/** What records show: a first look on the 21st, ranked answers from some time on. */
const time = (since: TimeSpan, answer: string | null, look: string | null = '2026-08-21T00:00:00.000Z') =>
  planTime(
    since,
    {
      ordered: [answer, '2026-08-30T00:00:00.000Z'].map((recorded_at) => ({
        inCore: true,
        observation: { record: { source: 'openai', recorded_at } },
      })),
    } as never,
    [{ journal: { firstLook: look } }, { journal: { firstLook: null } }],
  );

describe('the time of a plan', () => {
  it('is the latest that the plan and its witnesses state, whatever their clocks write', () => {
    expect(known().at).toBe(STATED);
    expect(known(token('2026-08-19T23:00:00Z'), commit(null)).at).toBe(STATED);
    expect(known(token(later), commit('2026-08-21T12:00:00.000Z')).at).toBe(later);
  });

  it('is late where a witness saw the plan only after scores were looked at, though the plan states an earlier time', () => {
    expect(time(known(), null).late).toBe(false);
    for (const witness of [token(later), commit(later)]) {
      const found = time(known(witness), null);
      expect(found.late).toBe(true);
      expect(planTimeWords(found)).toBe(
        `the plan is known since ${later}; scores were looked at on 2026-08-21T00:00:00.000Z, before that`,
      );
    }
  });

  it('is before the answers only where every ranked one is younger', () => {
    expect(time(known(), '2026-08-20T00:00:01.000Z')).toMatchObject({ late: false, beforeAnswers: true });
    expect(time(known(token(later)), '2026-08-20T00:00:01.000Z', null)).toMatchObject({
      late: false,
      beforeAnswers: false,
    });
    expect(planTimeWords(time(known(token(later)), '2026-08-20T00:00:01.000Z', null))).toContain(
      'recorded on 2026-08-20T00:00:01.000Z, before it',
    );
    expect(planTimeWords(time(known(token(later)), null, null))).toContain(
      'before the first ranked answer was recorded',
    );
  });

  it.each([token, commit])('claims and refuses no more than whole seconds of a witness show', (witness) => {
    const since = known(witness('2026-08-21T00:00:00.000Z'));
    const near = 'too near to 2026-08-21T00:00:00.000Z, since when the plan is known, to tell which came first';
    const within = time(since, '2026-08-21T00:00:00.400Z', '2026-08-21T00:00:00.999Z');
    expect(within).toMatchObject({ late: false, beforeAnswers: false });
    expect(planTimeWords(within)).toBe(
      `scores were looked at on 2026-08-21T00:00:00.999Z, ${near}; the first ranked answer was recorded on 2026-08-21T00:00:00.400Z, ${near}`,
    );
    expect(time(since, '2026-08-21T00:00:01.000Z', null)).toMatchObject({ late: false, beforeAnswers: true });
    expect(time(since, null, '2026-08-20T23:59:59.999Z').late).toBe(true);
    const after = time(since, '2026-08-20T23:59:59.999Z', null);
    expect(planTimeWords(after)).toContain('recorded on 2026-08-20T23:59:59.999Z, before it');
  });
});
