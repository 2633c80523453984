import type { Command } from 'commander';
import { createEngine } from '../../../engine/node.js';
import { verifyAny } from '../../../published/verify-any.js';
import type { Verification } from '../../../release/proofs/verification.js';
import { explorerPage } from '../../explorer-page.js';
import { printJson, printLine } from '../../print.js';
import { forceOption, writeFiles } from '../../write-output.js';
import { reportFiles } from './report-files.js';
import { openView, type ViewFlags, viewOptions } from './view.js';

interface ReportFlags extends ViewFlags {
  readonly out: string;
  readonly verify: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** The verification that a page states. */
export async function proved(path: string, flags: Pick<ViewFlags, 'core' | 'tasks'>): Promise<Verification> {
  const { core, tasks } = flags;
  const engine = await createEngine({ backend: 'wasm' });
  return verifyAny({
    dir: path,
    engine,
    illustrate: async (view) => (await import('../../../release/illustration-data.js')).illustrationData(view),
    core,
    tasks,
  }).finally(() => engine.close());
}

async function report(path: string, flags: ReportFlags): Promise<void> {
  // Refuses what is no release, and options that do not go with it, before anything is proved.
  await openView(path, flags);
  const verification = flags.verify ? await proved(path, flags) : null;
  const command = ['flavourbench', 'release', 'report', path];
  const page = explorerPage({ files: reportFiles(path, flags), command, inside: true, verification });
  await writeFiles([{ path: flags.out, data: page }], { replace: flags.force === true });
  const status = verification?.status ?? null;
  if (flags.json) printJson({ file: flags.out, bytes: Buffer.byteLength(page), verification: status });
  else printLine(`Written to ${flags.out}; ${status === null ? 'not verified' : `verification: ${status}`}`);
  if (status === 'FAIL') process.exitCode = 4;
}

/** Adds `release report` to its group. */
export function registerReport(release: Command): void {
  viewOptions(
    release.command('report').description('One page with leaderboard, figures, tables, method and verification.'),
  )
    .requiredOption('--out <file>', 'page to write, for example report.html')
    .option('--no-verify', 'leave the verification out; the page says so')
    .addOption(forceOption())
    .option('--json', 'print what was written as JSON')
    .action(report);
}
