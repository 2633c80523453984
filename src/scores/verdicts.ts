/** Words and signs for what came out well and what did not, in small letters (reading 1.13). */
const VERDICTS: ReadonlyMap<string, number> = new Map([
  ...['pass', 'passed', 'correct', 'right', 'solved', 'resolved', 'success', 'succeeded', 'successful'].map(
    (word) => [word, 1] as const,
  ),
  ...['✓', '✔', '✅', '☑', '🗸'].map((sign) => [sign, 1] as const),
  ...['fail', 'failed', 'incorrect', 'wrong', 'unsolved', 'unresolved', 'failure', 'unsuccessful'].map(
    (word) => [word, 0] as const,
  ),
  ...['✗', '✘', '❌', '✖', '☒'].map((sign) => [sign, 0] as const),
]);

/** Reads a verdict in words or signs: 1, 0, or undefined for anything else. */
export const verdictOf = (text: string): number | undefined =>
  VERDICTS.get(
    text
      .trim()
      .replace(/\ufe0f$/, '')
      .toLowerCase(),
  );

/** Letters that stand for verdicts, and for much else: they are named where nothing holds values. */
export const isVerdictLetter = (text: string): boolean => /^\s*[yntf]\s*$/i.test(text);

/** Words that the line of what was read shows of each kind. */
const SHOWN = 3;

/** Says what verdicts were read as: `PASS read as 1, FAIL as 0`; empty where none were. */
export function verdictText(words: ReadonlyMap<string, number>): string {
  const of = (wanted: number) => [...words].flatMap(([word, value]) => (value === wanted ? [word] : []));
  const said = (list: readonly string[]) =>
    list.length > SHOWN ? `${list.slice(0, SHOWN).join(', ')} and ${list.length - SHOWN} more` : list.join(', ');
  const [ones, zeros] = [of(1), of(0)];
  return [
    ...(ones.length > 0 ? [`${said(ones)} read as 1`] : []),
    ...(zeros.length > 0 ? [`${said(zeros)} ${ones.length > 0 ? '' : 'read '}as 0`] : []),
  ].join(', ');
}
