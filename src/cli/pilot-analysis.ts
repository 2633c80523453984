import type { Command } from 'commander';
import { followInputs } from '../analyses/about.js';
import type { AnyAnalysis } from '../analyses/list.js';
import { type InputFlags, openInputs } from './analysis-inputs.js';
import { analysisOptions, ownOptions } from './analysis-options.js';
import { type AnalysisOutputOptions, fittingWords, notedWords, writeAnalysis } from './analysis-output.js';
import { droppedWords, matrixInputs, matrixOptions, withFiles } from './matrix-inputs.js';
import { assertOut } from './out-target.js';
import { assertNoBounds } from './row-options.js';
import { openShares, type ShareFlags, shareOptions } from './sharing/call-shares.js';
import { type Elsewhere, elsewhere, REPLAYED } from './words-elsewhere.js';

interface PilotFlags extends InputFlags, AnalysisOutputOptions, ShareFlags {
  /** `power` simulates one pair. */
  readonly pair?: readonly string[];
}

/** Takes what stands behind the two models of `--pair` for the files: `--pair A B FILE`. */
function withPair(files: readonly string[], flags: PilotFlags): [readonly string[], PilotFlags] {
  const [one, two, ...rest] = flags.pair ?? [];
  if (rest.length === 0) return [files, flags];
  return [[...files, ...rest], { ...flags, pair: [one!, two!] }];
}

/** Does work that a signal may stop. */
type Guard = <T>(work: (signal?: AbortSignal) => Promise<T>) => Promise<T>;

/** Adds the command of an analysis that takes one complete matrix, as `infer` does, and nothing else. */
export function pilotAnalysis(program: Command, analysis: AnyAnalysis, guard: Guard = (work) => work()): void {
  const command = shareOptions(matrixOptions(program.command(analysis.name).description(analysis.summary)));
  const none: Elsewhere = {
    '--rng <name>': REPLAYED,
    ...(analysis.options.some(({ flags }) => flags.startsWith('--draws'))
      ? {}
      : {
          '--draws <n>': [
            'no bootstrap is drawn here',
            'Leave it out; --datasets is the number of simulated data sets.',
          ],
        }),
  };
  elsewhere(command, none, { '--rng <name>': 'philox' });
  ownOptions(analysisOptions(command, analysis.options), analysis.name).action(
    async (given: readonly string[], options: PilotFlags, called: Command) => {
      const flags = withFiles(...withPair(given, options));
      assertNoBounds(flags, analysis.name);
      assertOut(flags);
      const { shares, ended, facts } = await openShares(options, called);
      const { backend, threads, quiet } = flags;
      const opened = openInputs({ backend, threads, quiet, shares });
      const { files } = opened;
      let warnings: readonly string[] = [];
      const { inputs, about } = followInputs({
        ...opened.inputs,
        matrix: async () => {
          const read = await matrixInputs(flags, () => {});
          files.push(...read.inputs);
          opened.noteReading(read.reading);
          warnings = [...read.warnings, ...droppedWords(read)];
          return read.matrix;
        },
        matrixWarnings: async () => warnings,
      });
      const outcome = await guard((signal) => analysis.run(inputs, flags, signal)).finally(() => opened.close());
      if (await ended(files)) return;
      opened.sayReading(flags);
      const ran = { analysis, outcome, files, about: await about(), facts: { ...opened.facts(), ...facts } };
      await writeAnalysis(ran, () => fittingWords(notedWords(analysis, outcome)), flags);
    },
  );
}
