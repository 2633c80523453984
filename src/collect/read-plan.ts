import { isNode, LineCounter, parseDocument } from 'yaml';
import { readText } from '../io/file.js';
import { FlavourError, fail, shown } from '../util/error.js';
import { wantedWords } from '../util/schema.js';
import { type Plan, planShape } from './plan.js';

const MAX_PLAN_CHARACTERS = 4 * 1024 * 1024;

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${String(part)}`))
    .join('');
}

/**
 * Reads a plan in YAML or JSON (JSON is read as the YAML it is) and validates it.
 *
 * @throws SCHEMA_INVALID naming file, line and path; every problem is listed, the first decides the place.
 */
export function parsePlan(text: string, file: string): Plan {
  if (text.length > MAX_PLAN_CHARACTERS) {
    fail('SCHEMA_INVALID', { file }, `has ${text.length} characters; a plan has at most ${MAX_PLAN_CHARACTERS}`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken) {
    const line = lines.linePos(broken.pos[0]).line;
    const code = broken.code === 'DUPLICATE_KEY' ? 'JSON_DUPLICATE_KEY' : 'SCHEMA_INVALID';
    const what = broken.code === 'MULTIPLE_DOCS' ? 'a second document begins here' : broken.message;
    fail(code, { file, line }, what, 'A plan is one YAML or JSON document.');
  }
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const node = document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const result = planShape.safeParse(toValue(() => document.toJS({ maxAliasCount: 100 }), file));
  if (result.success) return result.data;
  // A value that stands where a secret may be is not repeated.
  const found = (path: readonly PropertyKey[]): string => {
    const value = valueAt(document.getIn(path));
    const secret = path.some((part) => /key|token|secret|header|url/i.test(String(part)));
    return value === undefined || secret ? '' : `; found ${value}`;
  };
  const problems = result.error.issues.map((issue) => {
    const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]!] : issue.path;
    const what = issue.code === 'unrecognized_keys' ? 'is not a field of a plan' : wantedWords(issue);
    return { line: lineOf(path), path: pathText(path), what: `${what}${found(path)}` };
  });
  problems.sort((a, b) => a.line - b.line);
  const shownProblems = problems.slice(0, 12);
  const more = problems.length - shownProblems.length;
  const first = problems[0];
  throw new FlavourError(
    'SCHEMA_INVALID',
    shownProblems.map((p) => `${file}:${p.line}: ${p.path || 'plan'}: ${p.what}`).join('; ') +
      (more > 0 ? `; and ${more} more` : ''),
    {
      hint: '`flavourbench plan schema` prints the JSON Schema, `flavourbench plan init` a commented plan.',
      where: { file, ...(first ? { line: first.line, path: first.path } : {}) },
    },
  );
}

/** A scalar as it is shown; undefined for anything else. */
function valueAt(value: unknown): string | undefined {
  return ['string', 'number', 'boolean'].includes(typeof value) ? shown(value) : undefined;
}

function toValue(read: () => unknown, file: string): unknown {
  try {
    return read();
  } catch (cause) {
    fail('SCHEMA_INVALID', { file }, `${(cause as Error).message}`, undefined, { cause });
  }
}

/** Reads and validates a plan file. */
export function readPlan(file: string): Plan {
  return parsePlan(readText(file), file);
}
