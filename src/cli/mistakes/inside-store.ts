import type { Command } from 'commander';
import { assertNotNested, assertOutside } from '../../io/write/guard.js';
import { fail } from '../../util/error.js';

/** Options that name what a command writes. */
export const OUTPUT_OPTIONS = ['out', 'into', 'rows', 'annotate', 'perTask'] as const;

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Commands whose output may be a release that is there: the same one, or one that `--force` replaces. */
const REPLACES_RELEASES: ReadonlySet<string> = new Set(['release build']);

/**
 * Refuses outputs without a name and those that lie in a ledger or a release, before a command reads or computes anything; whatever is written is held to the same rule once
 * more by `openTemporary`. Errors: USAGE; those of `assertOutside`.
 */
export function refuseInsideStores(program: Command): void {
  program.hook('preAction', (_, command) => {
    const options: Readonly<Record<string, unknown>> = command.opts();
    const isOwn = REPLACES_RELEASES.has(`${command.parent?.name()} ${command.name()}`);
    for (const name of OUTPUT_OPTIONS) {
      const path = options[name];
      if (typeof path !== 'string') continue;
      if (path === '')
        fail('USAGE', null, `--${kebab(name)} has no name`, 'Give a name; a variable of the shell may be empty.');
      if (isOwn && name === 'out') assertNotNested(path);
      else assertOutside(path);
    }
  });
}
