import { basename } from 'node:path';
import { utf8Text } from '#platform';
import type { Engine, OnProgress } from '../engine/engine.js';
import { knownSince, type Trust } from '../witness/witness.js';
import { type AssembledRelease, assembleRelease, type ReleaseSources, viewOf } from './assemble.js';
import { checkManifest } from './manifest.js';
import { planTime, planTimeWords } from './plan-time.js';
import { proveOnThread } from './proof-thread.js';
import { proveAbout, proveAnalyses } from './proofs/analysis-proof.js';
import { proveCore } from './proofs/core-proof.js';
import { compareText, missing, proveDerived } from './proofs/derived-proof.js';
import type { Difference } from './proofs/differences.js';
import { Findings } from './proofs/findings.js';
import { provedDigests } from './proofs/line-proof.js';
import { provePictures } from './proofs/picture-proof.js';
import { proveSources } from './proofs/source-proof.js';
import { proveWitnesses } from './proofs/witness-proof.js';
import { readInventory } from './read-folder.js';
import { type Inventory, RELEASE_FILES, type ReleaseFile, textOf } from './release-files.js';
import { LIMITS } from './statement.js';
import type { ReleaseView } from './view.js';

/** The outcome of a verification. */
export interface Verification {
  readonly status: 'PASS' | 'FAIL';
  readonly kind: 'release' | 'published_document' | 'published_dataset';
  /** Digest of the whole: of MANIFEST.json, or of the published document. */
  readonly sha256: string | null;
  readonly release_sha256: string | null;
  /** What was looked at, and how much of it. */
  readonly checked: readonly { readonly what: string; readonly count: number }[];
  /** What could not be looked at, and why. */
  readonly notes: readonly string[];
  readonly cannot_be_verified: readonly string[];
  readonly difference_count: number;
  /** The first differences, at most 200. */
  readonly differences: readonly Difference[];
}

export interface VerifyOptions {
  readonly dir: string;
  readonly engine: Engine;
  /** A digest that the caller trusts: of the manifest or of release.json. */
  readonly expect?: string;
  /** Files that are drawn from a release: those with data are compared, the others only by digest. */
  readonly illustrate?: (view: ReleaseView) => Promise<readonly ReleaseFile[]>;
  /** Draws every picture of a release, to be compared with those in the folder; without it they are held against the manifest only. */
  readonly draw?: (view: ReleaseView) => Promise<readonly ReleaseFile[]>;
  readonly onProgress?: OnProgress;
  /** Whom the caller trusts, for the witnesses of plans. */
  readonly trust?: Trust;
  /** A further proof, for example of the analyses. */
  readonly prove?: (parts: ProofParts) => Promise<void>;
}

/** A release that was read and made again. */
export interface ProofParts {
  readonly dir: string;
  readonly sources: ReleaseSources;
  readonly assembled: AssembledRelease;
  readonly findings: Findings;
}

/**
 * Verifies a release by making it again from its sources: every answer is parsed and scored, the core selected, the matrix formed and all
 * inference run anew, and every file held against the outcome. Nothing that a file states is believed. Errors: INPUT_NOT_FOUND and
 * INPUT_NOT_REGULAR for the folder itself; everything else is a difference.
 */
export async function verifyRelease(options: VerifyOptions): Promise<Verification> {
  const { dir, engine, expect, illustrate, draw, prove } = options;
  const findings = new Findings(`${dir}/`);
  const reached = (step: (typeof STEPS)[number]) =>
    options.onProgress?.('steps of the verification', STEPS.indexOf(step), STEPS.length);
  reached('read');
  const files = readInventory(dir, findings);
  const thread = proveOnThread(files);
  reached('answers');
  const sources = await proveSources(dir, files, thread, findings);
  const known = new Set<string>([RELEASE_FILES.manifest]);
  let release: string | null = null;
  if (sources) {
    for (const { name } of [...sources.taskFiles, ...sources.journals, ...sources.analyses]) known.add(name);
    if (sources.core) known.add(RELEASE_FILES.core);
    if (sources.analysisPlan) known.add(RELEASE_FILES.plan);
    if (sources.analysisPlan?.token) known.add(RELEASE_FILES.planToken);
    proveAnalyses(sources.analyses, findings);
    if (sources.asked === null)
      findings.note(
        'the release does not state the protocol under which its models were asked: it is of version 0.1.0',
      );
    if (sources.journals.length === 0)
      findings.note('there is no journal: the answers came from response files, not from a ledger');
    reached('inference');
    const assembled = await findings.attemptAsync(RELEASE_FILES.observations, () =>
      assembleRelease(sources, engine, { files, thread }),
    );
    if (assembled) {
      reached('files');
      await provePlan(sources, assembled, options.trust ?? {}, findings);
      findings.attempt(RELEASE_FILES.core, () => proveCore(sources, assembled, findings));
      for (const name of await proveDerived(files, assembled, findings)) known.add(name);
      reached('analyses');
      await proveAbout(sources, assembled, findings);
      if (prove)
        await findings.attemptAsync(RELEASE_FILES.analyses, () => prove({ dir, sources, assembled, findings }));
      reached('figures and tables');
      const drawings = [...files.keys()].filter((name) => ILLUSTRATION.test(name));
      if (drawings.length === 0) findings.note('there are neither figures nor tables in it');
      else if (!illustrate) {
        findings.note('figures and tables were held against the manifest only');
        for (const name of drawings) known.add(name);
      } else {
        const view = viewOf(sources, assembled);
        const made = await findings.attemptAsync(RELEASE_FILES.figures, () => illustrate(view));
        for (const name of await proveIllustrations(made ?? [], files, findings)) known.add(name);
        if (!made) for (const name of drawings) known.add(name);
        const pictures = drawings.filter((name) => PICTURE.test(name)).length;
        if (!draw && pictures > 0)
          findings.note(
            `${pictures} pictures were not drawn again, only held against the manifest: --figures compares them`,
          );
        const drawn = draw && (await findings.attemptAsync(RELEASE_FILES.figures, () => draw(view)));
        if (drawn) provePictures({ made: drawn, files, oldRules: sources.asked === null }, findings);
      }
    } else findings.note('the release could not be made again, so what follows from it was not checked');
    release = releaseDigest(textOf(files, RELEASE_FILES.release));
    for (const name of files.keys())
      if (assembled && !known.has(name))
        findings.add({
          file: name,
          at: 'the file',
          expected: 'no such file in a release',
          found: 'a file',
        });
  }
  reached('digests');
  const manifest = checkManifest(files, await provedDigests(thread), findings);
  const named = /[0-9a-f]{64}/.exec(basename(dir))?.[0];
  if (named !== undefined && manifest !== null)
    findings.same(basename(dir), 'digest in the name of the folder', manifest, named);
  if (expect !== undefined && expect !== manifest && expect !== release)
    findings.add({
      file: RELEASE_FILES.manifest,
      at: 'the expected digest',
      expected: expect,
      found: String(manifest),
    });
  return {
    status: findings.count === 0 ? 'PASS' : 'FAIL',
    kind: 'release',
    sha256: manifest,
    release_sha256: release,
    checked: findings.checked,
    notes: findings.notes,
    cannot_be_verified: LIMITS,
    difference_count: findings.count,
    differences: findings.differences,
  };
}

/**
 * Proves the witnesses of the plan, and adds a difference where scores were looked at before it was known, as far as records show; else says
 * what they show.
 */
async function provePlan(
  { analysisPlan }: ReleaseSources,
  { candidates, journals }: AssembledRelease,
  trust: Trust,
  findings: Findings,
): Promise<void> {
  if (analysisPlan === null) return;
  const { plan, bytes, witnesses, token } = analysisPlan;
  const tokens = token === null ? [] : [{ name: RELEASE_FILES.planToken, bytes: token }];
  const stamped = witnesses.some(({ kind }) => kind === 'rfc3161');
  if (token !== null && !stamped)
    findings.add({
      file: RELEASE_FILES.planToken,
      at: 'the file',
      expected: 'none, as release.json has it',
      found: 'a token',
    });
  const document = { file: RELEASE_FILES.plan, bytes, document: plan };
  await proveWitnesses({ document, witnesses, tokens, trust, findings });
  if (witnesses.length === 0)
    findings.note(`${RELEASE_FILES.plan}: its time is its own statement, with neither a time-stamp token nor a commit`);
  const time = planTime(knownSince(plan.frozen_at, witnesses), candidates, journals);
  const words = planTimeWords(time);
  if (time.late)
    findings.add({
      file: RELEASE_FILES.plan,
      at: 'frozen_at',
      expected: `no later than ${time.firstLook}`,
      found: `${plan.frozen_at}: ${words}`,
    });
  else if (time.beforeAnswers) findings.done('analysis plan frozen before every ranked answer', 1);
  else findings.note(`${RELEASE_FILES.plan}: ${words}`);
}

/** What a verification does, in order. */
const STEPS = ['read', 'answers', 'inference', 'files', 'analyses', 'figures and tables', 'digests'] as const;

const ILLUSTRATION = /^(?:figures|tables)\//;
const PICTURE = /^figures\/.+\.(?:svg|pdf|png)$/;

/** Tables and the data of figures cell by cell; of the pictures none may be missing. */
async function proveIllustrations(
  expected: readonly ReleaseFile[],
  files: Inventory,
  findings: Findings,
): Promise<string[]> {
  const names: string[] = [];
  for (const { name, bytes } of expected) {
    names.push(name);
    const found = textOf(files, name);
    if (found === undefined) missing(findings, name);
    else findings.attempt(name, () => compareText(name, utf8Text(bytes), found, findings));
    const figure = /^(figures\/.+)\.csv$/.exec(name)?.[1];
    for (const end of figure === undefined ? [] : PICTURES) {
      names.push(`${figure}${end}`);
      if (!files.has(`${figure}${end}`)) missing(findings, `${figure}${end}`);
    }
  }
  findings.done('tables and figure data cell by cell', expected.length);
  return names;
}

/** Pictures of a figure, light and dark. */
const PICTURES = ['.svg', '.pdf', '.png', '-dark.svg', '-dark.pdf', '-dark.png'];

function releaseDigest(text: string | undefined): string | null {
  return /"artifact_sha256":"([0-9a-f]{64})"/.exec(text ?? '')?.[1] ?? null;
}
