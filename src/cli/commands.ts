import type { Command } from 'commander';

/** A file in `commands/` exports `register`, which adds one command to the program. */
export interface CommandModule {
  register(program: Command): void;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<CommandModule>;
}

/** Every command, loaded only when it is asked for: a cold `infer` must not pay for a chart library. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'fetch',
    summary: 'Download public files, checked against pinned digests.',
    load: () => import('./commands/fetch.js'),
  },
  {
    name: 'env',
    summary: 'Import, list and query environments.',
    load: () => import('./commands/env.js'),
  },
  {
    name: 'plan',
    summary: 'Write, check and freeze a collection plan.',
    load: () => import('./commands/plan.js'),
  },
  {
    name: 'collect',
    summary: 'Ask every pending cell of a plan.',
    load: () => import('./commands/collect.js'),
  },
  {
    name: 'infer',
    summary: 'Full inference over answers or a score matrix.',
    load: () => import('./commands/infer.js'),
  },
];
