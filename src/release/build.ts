import { existsSync, lstatSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Engine } from '../engine/engine.js';
import { writeAtomic } from '../io/file.js';
import { readJson } from '../io/read-file.js';
import { openStore } from '../io/write/guard.js';
import { dropTemporary, makeFolder, temporaryFolder } from '../io/write/temporary.js';

import { type FlavourError, fail } from '../util/error.js';
import { knownSince } from '../witness/span.js';
import { type AssembledRelease, assembleRelease } from './assemble.js';
import { viewOf } from './assembled-view.js';
import { type Manifest, manifestOf } from './manifest.js';
import { plannedChecks } from './plans/check-plans.js';
import { planTime, planTimeWords } from './plans/plan-time.js';
import { plannedStudies } from './plans/planned-studies.js';
import { reusedIn } from './plans/study-stages.js';
import { jsonDifferences } from './proofs/differences.js';
import { assertPlanWitnesses } from './proofs/plan-witness-proof.js';
import { analysisDocuments, RELEASE_FILES, type ReleaseFile, textFile } from './release-files.js';
import type { ReleaseSources } from './release-sources.js';
import { assertOwnAnalyses, refuse, subjectOf } from './subject.js';
import type { ReleaseView } from './view.js';

export interface BuiltRelease {
  readonly assembled: AssembledRelease;
  readonly manifest: Manifest;
  /** Every file, MANIFEST.json last. */
  readonly files: readonly ReleaseFile[];
}

/** Adds files that are drawn from a release, for example its figures. */
export type Illustrator = (view: ReleaseView) => Promise<readonly ReleaseFile[]>;

/** Builds a release in memory. Two builds of the same sources give the same bytes. Errors: those of `assembleRelease`, PLAN_LATE, ANALYSIS_FOREIGN, TASKS_REUSED. */
export async function buildRelease(options: {
  readonly sources: ReleaseSources;
  readonly engine: Engine;
  readonly illustrate?: Illustrator;
}): Promise<BuiltRelease> {
  const { sources, engine, illustrate } = options;
  const problems: FlavourError[] = [];
  const assembled = await assembleRelease(sources, engine, { onProblem: (_, error) => problems.push(error) });
  assertInTime(sources, assembled);
  const given = analysisDocuments(sources.analyses);
  assertOwnAnalyses(given, subjectOf(sources, assembled), { unbound: false });
  if (problems[0]) throw problems[0];
  for (const { name, results } of assembled.remade)
    if (results !== null) refuse([...jsonDifferences(name, results, given.get(name)?.results, {}, 'results')]);
  assertReplication(given);
  assertCheckPlans(given, assembled);
  refuse(plannedStudies(given, sources.analyses).faults);
  await assertPlanWitnesses(given, assembled.analyses);
  const files: ReleaseFile[] = [
    ...sources.taskFiles,
    ...(sources.core ? [{ name: RELEASE_FILES.core, bytes: sources.core.bytes }] : []),
    ...planFiles(sources.analysisPlan),
    ...sources.journals,
    ...assembled.analyses,
    { name: RELEASE_FILES.observations, bytes: assembled.observations },
    ...[...assembled.texts].map(([name, text]) => textFile(name, text)),
    ...assembled.encoded,
    ...(await assembled.late),
  ];
  if (illustrate) files.push(...(await illustrate(viewOf(sources, assembled))));
  files.sort((a, b) => (a.name < b.name ? -1 : 1));
  const { manifest, file } = manifestOf(files, assembled.digest);
  return { assembled, manifest, files: [...files, file] };
}

/** Errors: TASKS_REUSED (exit 4) for a secondary evaluation that replicates nothing. */
function assertReplication(analyses: Parameters<typeof reusedIn>[0]): void {
  const [first] = reusedIn(analyses);
  if (first === undefined) return;
  fail(
    'TASKS_REUSED',
    { file: first.file, path: first.at },
    `expected ${first.expected}, found ${first.found}`,
    'A secondary evaluation has the plan of the primary one and tasks of its own; leave one of the two out.',
    { exit: 4 },
  );
}

/** Errors: ANALYSIS_FOREIGN (exit 4) for a check whose plan is not there or was not kept as it says; PLAN_LATE (exit 4). */
function assertCheckPlans(documents: Parameters<typeof reusedIn>[0], assembled: AssembledRelease): void {
  const { checks, faults } = plannedChecks(documents, assembled.matrix);
  refuse(faults);
  for (const { file, plan, since } of checks) {
    const time = planTime(since, assembled.candidates, assembled.journals);
    if (time.late)
      fail(
        'PLAN_LATE',
        { file },
        `frozen on ${plan.frozen_at}; ${planTimeWords(time)}`,
        'Run the check without --plan: it is exploratory.',
        {
          exit: 4,
        },
      );
  }
}

/** The files of a frozen plan. */
function planFiles(plan: ReleaseSources['analysisPlan']): ReleaseFile[] {
  if (plan === null) return [];
  const token = plan.token === null ? [] : [{ name: RELEASE_FILES.planToken, bytes: plan.token }];
  return [{ name: RELEASE_FILES.plan, bytes: plan.bytes }, ...token];
}

/** Errors: PLAN_LATE (exit 4) where scores were looked at before the plan was frozen. */
function assertInTime({ analysisPlan }: ReleaseSources, { candidates, journals }: AssembledRelease): void {
  if (analysisPlan === null) return;
  const { plan, witnesses } = analysisPlan;
  const time = planTime(knownSince(plan.frozen_at, witnesses), candidates, journals);
  if (time.late)
    fail(
      'PLAN_LATE',
      { file: RELEASE_FILES.plan },
      `frozen on ${plan.frozen_at}; ${planTimeWords(time)}`,
      'Leave --plan out: the release then says that its analysis is exploratory.',
      { exit: 4 },
    );
}

/** Whether a folder holds exactly these files. */
function holds(dir: string, files: readonly ReleaseFile[]): boolean {
  const count = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((item) => !item.isDirectory()).length;
  return (
    count === files.length &&
    files.every(({ name, bytes }) => {
      const path = join(dir, name);
      return lstatSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).equals(bytes);
    })
  );
}

/** A release folder that is to be replaced holds what its manifest lists, and nothing of anybody else's. Errors: OUTPUT_EXISTS. */
function assertAlone(dir: string): void {
  const manifest = readJson(join(dir, RELEASE_FILES.manifest)) as Partial<Manifest> | null;
  const listed = new Set((manifest?.files ?? []).map(({ path }) => path));
  const foreign = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((item) => !item.isDirectory())
    .map((item) => relative(dir, join(item.parentPath, item.name)))
    .filter((name) => name !== RELEASE_FILES.manifest && !listed.has(name))
    .sort();
  if (foreign.length === 0) return;
  const named = foreign.slice(0, 5).join(', ');
  const more = foreign.length > 5 ? ` and ${foreign.length - 5} more` : '';
  fail(
    'OUTPUT_EXISTS',
    { file: join(dir, foreign[0]!) },
    `${dir} holds files of no release: ${named}${more}`,
    'Move them out; replacing the release would delete them.',
  );
}

/**
 * Writes a release as a folder that appears whole or not at all. The same release again is success; another one in the way is
 * refused unless `force` is set, and what is no part of a release is never replaced. Errors: OUTPUT_EXISTS. Returns whether it was new.
 */
export function writeRelease(options: {
  readonly dir: string;
  readonly files: readonly ReleaseFile[];
  readonly force: boolean;
}): boolean {
  const { dir, files, force } = options;
  openStore(dir);
  const there = lstatSync(dir, { throwIfNoEntry: false });
  if (there && !(there.isDirectory() && readdirSync(dir).length === 0)) {
    if (there.isDirectory() && holds(dir, files)) return false;
    const isRelease = existsSync(join(dir, RELEASE_FILES.manifest));
    if (!isRelease || !force) {
      fail(
        'OUTPUT_EXISTS',
        { file: dir },
        `exists with ${isRelease ? 'another release' : 'something that is no release'}`,
        isRelease ? 'Choose another folder, or add --force to replace it.' : 'Choose another folder.',
      );
    }
    assertAlone(dir);
  }
  makeFolder(dirname(dir));
  const temporary = temporaryFolder(join(dirname(dir), '.release-'));
  openStore(temporary);
  const old = join(temporary, 'old');
  const made = join(temporary, 'new');
  try {
    for (const { name, bytes } of files) writeAtomic(join(made, name), bytes);
    if (there) renameSync(dir, old);
    renameSync(made, dir);
  } finally {
    if (!existsSync(dir) && existsSync(old)) renameSync(old, dir);
    dropTemporary(temporary);
  }
  return true;
}
