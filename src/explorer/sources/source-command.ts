import { DEFAULT_PLAN } from '../../inference/plan.js';
import { RELEASE_FILES } from '../../release/release-files.js';
import type { Opened } from './opened.js';

/**
 * Gives the words of the command whose digits a page shows: of a table or logs that of the page, or `rank-audit` over the names of what was dropped,
 * for where it lies a page is not told; of a release `infer` over its matrix by its plan; of a result the command that made it.
 */
export function commandOver(
  { kind, files, inventory, stated, missing }: Opened,
  given: readonly string[] | null,
): string[] {
  if (kind === 'release') {
    const [[name, file] = ['', { name: '' }]] = inventory!;
    const folder = file.name.slice(0, file.name.length - name.length);
    if (!stated) return ['flavourbench', 'release', 'verify', folder];
    const { strata, scheme, rng } = stated.plan;
    const named = { strata, scheme, rng };
    const options = Object.entries(named).flatMap(([name, value]) =>
      value === DEFAULT_PLAN[name as keyof typeof named] ? [] : [`--${name}`, value],
    );
    return ['flavourbench', 'infer', `${folder}${RELEASE_FILES.matrix}`, ...options, ...choicesOf(stated.plan)];
  }
  const words = given ?? ['flavourbench', stated ? 'infer' : 'rank-audit', ...files.map(({ name }) => name)];
  return [...words, ...(missing === undefined ? [] : ['--missing', missing])];
}

/** Options for what a stated plan chose otherwise than a call without options does. */
function choicesOf(plan: NonNullable<Opened['stated']>['plan']): string[] {
  const words: string[] = [];
  for (const name of ['draws', 'flips', 'seed', 'alpha'] as const)
    if (plan[name] !== DEFAULT_PLAN[name]) words.push(`--${name}`, String(plan[name]));
  for (const name of ['test', 'multiplicity', 'interval'] as const) words.push(`--${name}`, plan[name]);
  return words;
}
