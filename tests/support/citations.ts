import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const RULE_PAGES = ['statistics', 'compiler', 'collection', 'analyses', 'decisions', 'reading'] as const;
type RulePage = (typeof RULE_PAGES)[number];

/** What can be cited of one page: numbers of headings, and the numbered steps of lists under them. */
export interface RulePageIndex {
  readonly numbers: ReadonlySet<string>;
  /** `c.2 step 4`. */
  readonly steps: ReadonlySet<string>;
}

export type Rules = Readonly<Record<RulePage, RulePageIndex>>;

/** Reads which rules a page has. A heading is `### 6.3 Integer form` or `## b The compiler`. */
export function rulePageIndex(text: string): RulePageIndex {
  const numbers = new Set<string>();
  const steps = new Set<string>();
  let heading = '';
  for (const line of text.split('\n')) {
    const found = /^#{2,4} ([a-e](?:\.\d+)?|\d+(?:\.\d+)*)(?= )/.exec(line);
    if (found) numbers.add((heading = found[1]!));
    const step = /^(\d+)\. /.exec(line);
    if (step) steps.add(`${heading} step ${step[1]}`);
  }
  return { numbers, steps };
}

/** Reads the pages of docs/spec. */
export function repositoryRules(): Rules {
  return Object.fromEntries(
    RULE_PAGES.map((page) => [page, rulePageIndex(readFileSync(`docs/spec/${page}.md`, 'utf8'))]),
  ) as Rules;
}

const NUMBER = String.raw`(?:[a-z]\.\d+|\d+(?:\.\d+)*|[a-z]\b)(?: step \d+)?`;
/** `compiler b.4, b.5`, `statistics 5 to 12`, `[collection](collection.md) 0.1`: a page and one or more of its numbers. */
const CITATION = new RegExp(
  String.raw`\b(${RULE_PAGES.join('|')})(\]\([\w./-]*\.md\),?)? (${NUMBER}(?:(?:, | to |-| and )${NUMBER}(?! [a-z]))*)`,
  'g',
);
/** What may stand in brackets before a page: nothing, or something that ends with a comma or a semicolon. */
const OPENED = /\((?:[^()]*[,;] )?$/;

/** Pages of rules that are not in this repository, cited as if they were. */
const FOREIGN_RULE = /\((?:contracts|design|anchors|features|spec) §?(?:[a-e]\.)?\d[^)]*\)/g;
const FILE = /(?:[\w-]+\/|\.\.\/)*[\w-]+\.md\b/g;
/** Files that the program writes into folders of its users, and the pattern of all of them. */
const WRITTEN = /(?:^|\/)(?:README|NAME|claims|leaderboard|transfer-main)\.md$/;
/** Comments and texts that run over a line end are read as one line. */
const LINE_JOIN = /\s*\n\s*(?:\*(?!\/)|\/\/+|>)?\s*/g;

/** Finds the citations of a text: in brackets, behind a linked page, or a page with a number that has a dot. */
function citations(text: string): (readonly [RulePage, string])[] {
  return [...text.matchAll(CITATION)]
    .filter(
      ([, , linked, list], i, all) => linked || /^\w+\.\d/.test(list!) || OPENED.test(text.slice(0, all[i]!.index)),
    )
    .map(([, page, , list]) => [page as RulePage, list!] as const);
}

/** Says what is wrong with the citations of one file, empty where every one resolves. `file` is relative to the repository. */
export function citationFaults(file: string, text: string, rules: Rules): string[] {
  const lines = text.replace(LINE_JOIN, ' ');
  const faults = citations(lines).flatMap(([page, list]) => ruleFaults(page, list, rules));
  for (const [cited] of lines.matchAll(FOREIGN_RULE)) faults.push(`${cited} is no page of docs/spec`);
  for (const [path] of lines.matchAll(FILE)) {
    if (WRITTEN.test(path)) continue;
    const places = [dirname(file), '.', 'docs', 'docs/spec'].map((folder) => resolve(folder, path));
    if (!places.some(existsSync)) faults.push(`${path} is not in the repository`);
  }
  return faults.map((fault) => `${file}: ${fault}`);
}

/** Counts the citations of a text. */
export function citationCount(text: string): number {
  return citations(text.replace(LINE_JOIN, ' ')).length;
}

function ruleFaults(page: RulePage, list: string, { [page]: { numbers, steps } }: Rules): string[] {
  return list.split(/, | to |-| and /).flatMap((number) => {
    const known = number.includes(' step ') ? steps.has(number) : numbers.has(number);
    return known ? [] : [`(${page} ${number}) is no rule of docs/spec/${page}.md`];
  });
}

const FOLDERS = ['src', 'assembly', 'kernels', 'bench', 'tests', 'docs'];
const TOP = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** Lists the files of the repository that may cite a rule. */
export function citingFiles(): string[] {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|js|wgsl|md|cpp|py|R)$/.test(file))
      .map((file) => join(folder, file)),
  );
  return [...found, ...TOP].sort();
}

const PATH = /`((?:src|tests|docs|bench|assembly|kernels|fixtures)\/[\w./-]*)`/g;

/** Lists the paths of this repository that a page names and that do not exist. `NAME` and `x` stand for any name. */
export function missingPaths(text: string): string[] {
  return [...text.matchAll(PATH)]
    .map(([, path]) => path!)
    .filter((path) => !/NAME|\/x\./.test(path) && !existsSync(path));
}
