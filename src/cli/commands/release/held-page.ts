import { sameBytes, utf8Text } from '#platform';
import { readInput } from '../../../io/file.js';
import type { Difference } from '../../../release/proofs/differences.js';
import type { Verification } from '../../../release/proofs/verification.js';
import { heldPage } from '../../explorer-page.js';
import { proved } from './report.js';
import { reportFiles } from './report-files.js';

/**
 * Adds to a verification whether a page at hand is the one that `release report` makes of a release: the program of this version byte for byte, every
 * file of the release and no other, and the verification that it states, or none. Errors: those of reading the page and the release.
 */
export async function withPage(verified: Verification, dir: string, path: string): Promise<Verification> {
  const page = heldPage(utf8Text(readInput(path)));
  const stated = page.given?.verification;
  const [first] = [
    ...programDifference(path, page),
    ...fileDifferences(path, dir, page),
    ...(stated === undefined ? [] : verificationDifference(path, stated, await proved(dir, {}))),
  ];
  if (first === undefined) {
    const note = `${path} states no verification`;
    return {
      ...verified,
      checked: [...verified.checked, { what: 'page made again', count: 1 }],
      notes: stated === undefined ? [...verified.notes, note] : verified.notes,
    };
  }
  return {
    ...verified,
    status: 'FAIL',
    difference_count: verified.difference_count + 1,
    differences: [...verified.differences, first],
  };
}

type Page = ReturnType<typeof heldPage>;

/** A page can say anything about files that it holds truly, so its program is held against ours first. */
function programDifference(file: string, { own, given }: Page): Difference[] {
  if (own) return [];
  return [
    {
      file,
      at: 'its program',
      expected: 'the page of this version, byte for byte',
      found: given === null ? 'a page of another kind: `release report` makes it again' : 'another program',
    },
  ];
}

function fileDifferences(file: string, dir: string, { given }: Page): Difference[] {
  if (given === null) return [];
  const found = new Map(given.files.map(({ name, bytes }) => [name, bytes] as const));
  const expected = reportFiles(dir, {});
  const known = new Set(expected.map(({ name }) => name));
  const other = expected.find(({ name, bytes }) => {
    const own = found.get(name);
    return own === undefined || !sameBytes(own, bytes);
  });
  if (other)
    return [
      {
        file,
        at: `the file ${other.name} in it`,
        expected: 'that of the release',
        found: found.has(other.name) ? 'another content' : 'none',
      },
    ];
  const more = [...found.keys()].find((name) => !known.has(name));
  return more === undefined && given.files.length === expected.length
    ? []
    : [{ file, at: 'its files', expected: 'those of the release', found: `also ${more ?? 'one twice'}` }];
}

function verificationDifference(file: string, stated: unknown, expected: Verification): Difference[] {
  if (JSON.stringify(stated) === JSON.stringify(expected)) return [];
  const { status } = (stated ?? {}) as { readonly status?: unknown };
  return [
    {
      file,
      at: 'the verification that it states',
      expected: expected.status,
      found: status === expected.status ? `${expected.status} of something else` : String(status),
    },
  ];
}
