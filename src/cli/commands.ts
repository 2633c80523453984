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
    name: 'demo',
    summary: 'The whole path on the built-in pantry with simulated responders; no network.',
    load: () => import('./commands/demo.js'),
  },
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
    name: 'compile',
    summary: 'Compile a panel of tasks from an environment.',
    load: () => import('./commands/compile.js'),
  },
  {
    name: 'maps',
    summary: 'Recompute reward maps under another environment; compare maps.',
    load: () => import('./commands/maps.js'),
  },
  {
    name: 'tasks',
    summary: 'Verify, describe, list and show task sets.',
    load: () => import('./commands/tasks.js'),
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
    name: 'ledger',
    summary: 'Look into a ledger, prove it, seal it, pack it, merge it.',
    load: () => import('./commands/ledger.js'),
  },
  {
    name: 'core',
    summary: 'The common core: tasks every model answered.',
    load: () => import('./commands/core.js'),
  },
  {
    name: 'template',
    summary: 'Write a response file to fill in.',
    load: () => import('./commands/template.js'),
  },
  {
    name: 'score',
    summary: "Score one model's answers and write its report.",
    load: () => import('./commands/score.js'),
  },
  {
    name: 'rescore',
    summary: 'Score any number of answers, from files of any form, into tables.',
    load: () => import('./commands/rescore.js'),
  },
  {
    name: 'merge',
    summary: 'Put the shards of a work together.',
    load: () => import('./commands/merge.js'),
  },
  {
    name: 'worker',
    summary: 'Do parts of calls that others share over Redis.',
    load: () => import('./commands/worker.js'),
  },
  {
    name: 'jobs',
    summary: 'What runs where over a Redis.',
    load: () => import('./commands/jobs.js'),
  },
  {
    name: 'reward',
    summary: 'Reward of one answer, 0 to 1.',
    load: () => import('./commands/reward.js'),
  },
  {
    name: 'pipe',
    summary: 'Answer requests on standard input, one a line: score, reward, audit, infer.',
    load: () => import('./commands/pipe.js'),
  },
  {
    name: 'serve',
    summary: 'The same over HTTP, with releases and the explorer.',
    load: () => import('./commands/serve.js'),
  },
  {
    name: 'verify-report',
    summary: 'Verify a report, with its inputs every score anew.',
    load: () => import('./commands/verify-report.js'),
  },
  {
    name: 'infer',
    summary: 'Full inference over answers or a score matrix.',
    load: () => import('./commands/infer.js'),
  },
  {
    name: 'rank-audit',
    summary: 'Which ranks any models x tasks matrix supports.',
    load: () => import('./commands/rank-audit.js'),
  },
  {
    name: 'explore',
    summary: 'Scores as a page to look at and ask; one file, or served on this machine.',
    load: () => import('./commands/explore.js'),
  },
  {
    name: 'power',
    summary: 'Tasks needed to resolve a difference, from pilot data.',
    load: () => import('./commands/power.js'),
  },
  {
    name: 'coverage',
    summary: 'Coverage of intervals and familywise error of tests, by simulation.',
    load: () => import('./commands/coverage.js'),
  },
  {
    name: 'sensitivity',
    summary: 'How much of a leaderboard can be believed: precision to substitutions.',
    load: () => import('./commands/sensitivity.js'),
  },
  {
    name: 'transfer',
    summary: 'Training data, recipes, evaluation and the effect of training on maps.',
    load: () => import('./commands/transfer.js'),
  },
  {
    name: 'release',
    summary: 'Build a release, verify it, compare two, draw it.',
    load: () => import('./commands/release.js'),
  },
  {
    name: 'bench',
    summary: 'Resampling throughput of this machine, backend by backend.',
    load: () => import('./commands/bench.js'),
  },
];
