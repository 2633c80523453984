import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readInput } from '../io/file.js';
import { parseJson } from '../io/json.js';
import { decodeText } from '../io/utf8.js';
import { Findings } from '../release/proofs/findings.js';
import type { Verification } from '../release/proofs/verification.js';
import { readInventory } from '../release/read-folder.js';
import { RELEASE_FILES } from '../release/release-files.js';
import { type VerifyOptions, verifyRelease } from '../release/verify.js';
import { fail, shown } from '../util/error.js';
import { DATASET_FILES, proveDataset } from './dataset.js';
import { type PublishedCompanions, provePublished } from './published-document.js';

const PUBLISHED = /^flavourbench-complete-core-release-[0-9a-f]{64}\.json$/;

/** Finds out what a path holds: our release, the published document, or the published data set. Errors: INPUT_NOT_FOUND. */
export function kindOf(path: string): {
  readonly kind: Verification['kind'];
  readonly path: string;
} {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) {
    refuseOther(path);
    return { kind: 'published_document', path };
  }
  if (existsSync(join(path, DATASET_FILES.manifest))) return { kind: 'published_dataset', path };
  const documents = readdirSync(path).filter((name) => PUBLISHED.test(name));
  const ours = [RELEASE_FILES.manifest, RELEASE_FILES.release];
  if (ours.some((name) => existsSync(join(path, name)))) return { kind: 'release', path };
  if (documents.length === 1) return { kind: 'published_document', path: join(path, documents[0]!) };
  if (documents.length === 0) {
    fail(
      'INPUT_NOT_FOUND',
      { file: path },
      `holds no ${RELEASE_FILES.release}`,
      'Give the folder that `release build` wrote, or the published document or data set.',
    );
  }
  fail('USAGE', null, `${path} holds ${documents.length} release documents`, 'Give one of them.');
}

/** A document with a schema of ours is a file of a release, not a published document that was altered. Errors: USAGE. */
function refuseOther(path: string): void {
  const bytes = readInput(path);
  let value: unknown;
  try {
    value = parseJson(decodeText(path, bytes));
  } catch {
    return;
  }
  const { schema } = (value ?? {}) as { readonly schema?: unknown };
  if (typeof schema === 'string') {
    fail(
      'USAGE',
      { file: path, path: 'schema' },
      `is no release: its schema is ${shown(schema)}`,
      'Give the folder that `release build` wrote, not a file in it.',
    );
  }
}

/** Verifies whatever kind of release a path holds. */
export async function verifyAny(options: VerifyOptions & PublishedCompanions): Promise<Verification> {
  const { kind, path } = kindOf(options.dir);
  if (kind === 'release') return verifyRelease({ ...options, dir: path });
  const dataset = kind === 'published_dataset';
  const findings = new Findings(`${dataset ? path : dirname(path)}/`);
  const file = dataset ? join(path, DATASET_FILES.release) : path;
  const files = dataset ? readInventory(path, findings) : undefined;
  const published = provePublished(
    file,
    dataset ? { core: join(path, DATASET_FILES.plan), beside: false } : options,
    findings,
  );
  if (files && published) await proveDataset({ dir: path, files, published, engine: options.engine, findings });
  else if (published) findings.note('without the answers, scores, intervals and p-values are taken as stated');
  const sha256 = published?.sha256 ?? null;
  if (options.expect !== undefined && options.expect !== sha256)
    findings.add({
      file,
      at: 'the expected digest',
      expected: options.expect,
      found: String(sha256),
    });
  return findings.verdict({ kind, sha256, release_sha256: sha256, rules: null });
}
