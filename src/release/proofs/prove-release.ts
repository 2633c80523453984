import type { Engine, OnProgress } from '../../engine/engine.js';
import type { Trust } from '../../witness/witness.js';
import { assembleRelease } from '../assemble.js';
import { viewOf } from '../assembled-view.js';
import { simulatedIn } from '../candidate-cells.js';
import { checkManifest } from '../manifest.js';
import { type Inventory, RELEASE_FILES, type ReleaseFile, textOf } from '../release-files.js';
import type { ReleaseView } from '../view.js';
import { proveAbout, proveAnalyses } from './analysis-proof.js';
import { proveCore } from './core-proof.js';
import { proveDerived } from './derived-proof.js';
import type { Findings } from './findings.js';
import { illustrationsIn, isPicture, proveIllustrations } from './illustration-proof.js';
import { proveJournals } from './journal-proof.js';
import { provedDigests, type ThreadProofs } from './line-proof.js';
import { provePictures } from './picture-proof.js';
import { provePlan } from './plan-proof.js';
import { leaveRequests, proveRecord } from './record-proof.js';
import { proveSources } from './source-proof.js';
import type { Verification } from './verification.js';

/** What is asked of a verification, besides the files. */
export interface ProofOptions {
  readonly engine: Engine;
  /** A digest that the caller trusts: of the manifest or of release.json. */
  readonly expect?: string;
  /** Files that are drawn from a release: those with data are compared, the others only by digest. */
  readonly illustrate?: (view: ReleaseView) => Promise<readonly ReleaseFile[]>;
  /** Draws every picture of a release, to be compared with those in the folder; without it they are held against the manifest only. */
  readonly draw?: (view: ReleaseView) => Promise<readonly ReleaseFile[]>;
  /** Take the results of analyses as they are stated. */
  readonly quick?: boolean;
  readonly onProgress?: OnProgress;
  /** Whom the caller trusts, for the witnesses of plans. */
  readonly trust?: Trust;
}

/** What a verification does, in order. */
const STEPS = ['read', 'answers', 'inference', 'files', 'analyses', 'figures and tables', 'digests'] as const;

/**
 * Proves the files of a release by making it again from its sources: every answer is parsed and scored, the core selected, the matrix formed
 * and all inference run anew, and every file held against the outcome. Nothing that a file states is believed. What differs goes to `findings`,
 * which may hold differences of the reading before.
 */
export async function proveRelease(
  options: ProofOptions & {
    readonly files: Inventory;
    /** Name of the folder that holds them; a digest in it is the address. */
    readonly folder?: string;
    /** What a thread proves meanwhile. */
    readonly thread: ThreadProofs;
    readonly findings: Findings;
  },
): Promise<Verification> {
  const { files, folder = '', thread, findings, engine, expect, illustrate, draw, quick } = options;
  const reached = (step: (typeof STEPS)[number]) =>
    options.onProgress?.('steps of the verification', STEPS.indexOf(step), STEPS.length);
  reached('answers');
  const sources = await proveSources(files, thread, findings);
  const known = new Set<string>([RELEASE_FILES.manifest]);
  const rules = sources?.rules ?? null;
  let release: string | null = null;
  if (sources) {
    for (const { name } of [...sources.taskFiles, ...sources.journals]) known.add(name);
    if (sources.core) known.add(RELEASE_FILES.core);
    if (sources.analysisPlan) known.add(RELEASE_FILES.plan);
    if (sources.analysisPlan?.token) known.add(RELEASE_FILES.planToken);
    proveAnalyses(sources.analyses, findings);
    if (sources.rules === 1)
      findings.left(
        'the protocol under which the models were asked',
        1,
        'a release of version 0.1.0 does not state it',
      );
    if (sources.journals.length === 0)
      findings.note('there is no journal: the answers came from response files, not from a ledger');
    reached('inference');
    const assembled = await findings.attemptAsync(RELEASE_FILES.observations, () =>
      assembleRelease(sources, engine, {
        ...{ known: { files, thread }, quick, onProgress: options.onProgress },
        onProblem: (file, error) => findings.failed(file, error),
      }),
    );
    if (assembled) {
      reached('files');
      await provePlan(sources, assembled, options.trust ?? {}, findings);
      findings.attempt(RELEASE_FILES.core, () => proveCore(sources, assembled, findings));
      if (sources.rules !== 1) for (const cell of assembled.candidates.ordered) proveRecord(cell, findings);
      leaveRequests(assembled.candidates.ordered, findings);
      const formulas = simulatedIn(assembled.candidates).size;
      if (formulas > 0)
        findings.note(
          `${formulas} of ${sources.models.length} ranked models are formulas, not models: their places rank nothing`,
        );
      proveJournals(sources, assembled, findings);
      for (const name of await proveDerived(files, sources, assembled, findings)) known.add(name);
      reached('analyses');
      for (const name of await proveAbout(sources, assembled, files, options.trust ?? {}, findings)) known.add(name);
      reached('figures and tables');
      const drawings = illustrationsIn(files);
      if (drawings.length === 0) findings.note('there are neither figures nor tables in it');
      else if (!illustrate) {
        findings.left('figures and tables', drawings.length, 'held against the manifest only');
        for (const name of drawings) known.add(name);
      } else {
        const view = viewOf(sources, assembled);
        const made = await findings.attemptAsync(RELEASE_FILES.figures, () => illustrate(view));
        for (const name of proveIllustrations(made ?? [], files, findings)) known.add(name);
        if (!made) for (const name of drawings) known.add(name);
        const pictures = drawings.filter(isPicture).length;
        if (!draw && pictures > 0)
          findings.left('pictures', pictures, 'held against the manifest only: --figures draws them again');
        const drawn = draw && (await findings.attemptAsync(RELEASE_FILES.figures, () => draw(view)));
        if (drawn) provePictures({ made: drawn, files, oldRules: sources.rules === 1 }, findings);
      }
    } else findings.note('the release could not be made again, so what follows from it was not checked');
    release = releaseDigest(textOf(files, RELEASE_FILES.release));
    for (const name of files.keys())
      if (assembled && !known.has(name))
        findings.add({ file: name, at: 'the file', expected: 'no such file in a release', found: 'a file' });
  }
  reached('digests');
  const manifest = checkManifest({ files, release, digests: await provedDigests(thread), findings });
  const named = /[0-9a-f]{64}/.exec(folder)?.[0];
  if (named !== undefined && manifest !== null)
    findings.same(folder, 'digest in the name of the folder', manifest, named);
  if (expect !== undefined && expect !== manifest && expect !== release)
    findings.add({
      file: RELEASE_FILES.manifest,
      at: 'the expected digest',
      expected: expect,
      found: String(manifest),
    });
  return findings.verdict({ kind: 'release', sha256: manifest, release_sha256: release, rules });
}

function releaseDigest(text: string | undefined): string | null {
  return /"artifact_sha256":"([0-9a-f]{64})"/.exec(text ?? '')?.[1] ?? null;
}
