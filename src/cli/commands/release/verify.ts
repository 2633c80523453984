import { type Command, Option } from 'commander';
import { createEngine } from '../../../engine/node.js';
import { readInput } from '../../../io/file.js';
import { verifyAny } from '../../../published/verify-any.js';
import { differenceText } from '../../../release/proofs/differences.js';

import type { Verification } from '../../../release/proofs/verification.js';
import type { ReleaseRules } from '../../../release/release-files.js';
import { lookInCommit } from '../../../witness/git-commit.js';
import type { Trust } from '../../../witness/witness.js';

import { plain, printJson, printLine, printNote } from '../../print.js';
import { stages } from '../../progress.js';
import { digestLines } from './view.js';

interface VerifyFlags {
  readonly expect?: string;
  readonly core?: string;
  readonly tasks?: readonly string[];
  readonly quick?: boolean;
  readonly analyses?: boolean;
  readonly figures?: boolean;
  readonly page?: string;
  readonly tsaCa?: string;
  readonly git?: string;
  readonly json?: boolean;
}

async function verify(dir: string, flags: VerifyFlags): Promise<void> {
  const { expect, core, tasks, page } = flags;
  if (flags.analyses && !flags.json) printNote('--analyses is done now unless --quick is given');
  const engine = await createEngine({ backend: 'wasm' });
  const bar = stages();
  const verified = await verifyAny({
    dir,
    engine,
    onProgress: bar.onProgress,
    illustrate: async (view) => (await import('../../../release/illustration-data.js')).illustrationData(view),
    ...(flags.figures ? { draw: async (view) => (await import('../../../release/illustrate.js')).pictures(view) } : {}),
    quick: flags.quick,
    expect,
    core,
    tasks,
    trust: trustOf(flags),
  }).finally(() => {
    bar.stop();
    return engine.close();
  });
  const result = page === undefined ? verified : await (await import('./held-page.js')).withPage(verified, dir, page);
  if (flags.json) printJson(result);
  else print(result);
  if (result.status === 'FAIL') process.exitCode = 4;
}

/** Whom a call trusts. */
function trustOf({ tsaCa, git }: VerifyFlags): Trust {
  return {
    ...(tsaCa === undefined ? {} : { authorities: { file: tsaCa, bytes: readInput(tsaCa) } }),
    ...(git === undefined
      ? {}
      : {
          lookInCommit(commit, bytes) {
            const { at, holds } = lookInCommit({
              repository: git,
              commit,
              files: [bytes],
              searchPath: process.env.PATH,
            });
            return { at, holds: holds[0]! };
          },
        }),
  };
}
/** Says by which rules a release was verified. */
const RULES: Readonly<Record<ReleaseRules, string>> = {
  1: 'by the rules of version 0.1.0 (flavourbench-release/1), which prove less than those of today',
  2: 'by the rules of flavourbench-release/2',
};

/** What a check is called in the table: where something differs it was looked at, and nothing is said to be proved. */
const DONE: Readonly<Record<Verification['status'], string>> = { PASS: 'proved', FAIL: 'looked at' };

const row = (status: string, count: number): string => `${status.padEnd(10)} ${String(count).padStart(7)}  `;

function print(result: Verification): void {
  for (const note of result.notes) printLine(plain(`note: ${note}`));
  if (result.rules !== null) printLine(RULES[result.rules]);
  for (const { what, count } of result.checked) printLine(plain(`${row(DONE[result.status], count)}${what}`));
  for (const { what, count, why } of result.not_checked) printLine(plain(`${row('not proved', count)}${what}: ${why}`));
  const [first] = result.differences;
  if (first) {
    printLine(plain(`FAIL: ${differenceText(first)}`));
    const others = result.difference_count - 1;
    if (others > 0) printLine(`and ${others} more ${others === 1 ? 'difference' : 'differences'}; --json lists them`);
    return;
  }
  printLine('Not shown by any verification:');
  for (const limit of result.cannot_be_verified) printLine(`         ${limit}`);
  if (result.kind === 'release') for (const line of digestLines(result.sha256, result.release_sha256)) printLine(line);
  printLine(`PASS: ${result.sha256}`);
}

/** Adds `release verify` to its group. */
export function registerVerify(release: Command): void {
  release
    .command('verify')
    .description('Make a release again from its answers and hold every file against the outcome.')
    .argument('<path>', 'folder of a release; the published document or data set')
    .option(
      '--expect <digest>',
      'a digest you trust: the address (MANIFEST.json) or that of the numbers (release.json)',
    )
    .option('--quick', 'do not run the analyses again; the table says so')
    .addOption(
      new Option('--analyses', 'old spelling: what is done unless --quick is given').hideHelp().conflicts('quick'),
    )
    .option('--figures', 'draw every picture again too')
    .option('--page <file>', 'page that `release report` wrote: make it again too')
    .option('--tsa-ca <file>', 'certificates of the authority you trust: time-stamp tokens of plans are checked')
    .option('--git <repository>', 'repository to look the commits of plans up in')
    .option('--core <plan>', 'core plan, for the published document')
    .option('--tasks <files...>', 'task sets, for the published document')
    .addOption(new Option('--rng <name>', 'generator of the published data set').choices(['numpy']))
    .option('--json', 'print JSON')
    .action(verify);
}
