import { assertDigests } from '../io/document.js';
import { parseJson } from '../io/json.js';
import { type PyValue, parsePyJson, pyCanonical } from '../io/pyjson.js';
import { RELEASED_CORE_ROWS_SHA256 } from '../tasks/released-digests.js';
import { requiredFamilies } from '../tasks/task.js';
import { fail, shown } from '../util/error.js';
import { checked } from '../util/schema.js';
import { statedParser } from './parser-contract.js';
import type { Report } from './report.js';
import { type ReportDocument, reportSchema } from './report-schema.js';

const SCORE_AGAIN = 'The report does not agree with itself or with its inputs; score the responses again.';

const close = (a: number | null, b: number | null) => (a === null || b === null ? a === b : Math.abs(a - b) <= 1e-12);

/** Everything in a report that follows from its own rows (collection 2.5). */
function checkConsistency(path: string, report: ReportDocument): void {
  const same = (field: string, expected: unknown, found: unknown) => {
    if (expected === found) return;
    const what = `expected ${shown(expected)}, found ${shown(found)}`;
    fail('VERIFY_FAILED', { file: path, path: field }, what, SCORE_AGAIN, { exit: 4 });
  };
  const near = (field: string, expected: number | null, found: number | null) => {
    if (!close(expected, found)) same(field, expected, found);
  };
  const { per_task: rows, coverage } = report;
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  rows.forEach((row, i) => {
    const valid = row.status === 'valid';
    same(`per_task[${i}].parseable`, valid, row.parseable);
    same(`per_task[${i}].observed_selection`, valid, row.observed_selection !== null);
    near(`per_task[${i}].score`, row.score_bps / 100, row.score);
    if (!valid) same(`per_task[${i}].score_bps`, 0, row.score_bps);
    same(`per_task[${i}].optimal`, row.score_bps === 10_000, row.optimal);
  });
  same('per_task ids', rows.length, new Set(rows.map((row) => row.task_id)).size);
  same('coverage.tasks', rows.length, coverage.tasks);
  same('coverage.valid', count('valid'), coverage.valid);
  same('coverage.missing', count('missing'), coverage.missing);
  same('coverage.invalid', count('invalid'), coverage.invalid);
  same('coverage.submitted', rows.length - count('missing'), coverage.submitted);
  near('coverage.fraction_valid', coverage.valid / coverage.tasks, coverage.fraction_valid);
  const families = requiredFamilies(rows.map(({ family }) => family));
  same('families', families.join(), report.families.map(({ family }) => family).join());
  rows.forEach(({ family }, i) => {
    if (!families.includes(family)) same(`per_task[${i}].family`, families.join(', '), family);
  });
  const means: (number | null)[] = [];
  report.families.forEach((family, f) => {
    const members = rows.filter((row) => row.family === family.family);
    const valid = members.filter((row) => row.status === 'valid');
    const field = (name: string) => `families[${f}].${name}`;
    if (members.length === 0) same(field('tasks'), 'at least one task', 0);
    same(field('tasks'), members.length, family.tasks);
    same(field('valid'), valid.length, family.valid);
    near(field('coverage'), valid.length / members.length, family.coverage);
    const sum = valid.reduce((total, row) => total + row.score_bps, 0);
    const mean = valid.length === 0 ? null : sum / (100 * valid.length);
    means.push(mean);
    near(field('diagnostic_valid_score'), mean, family.diagnostic_valid_score);
    near(field('score'), valid.length === members.length ? mean : null, family.score);
  });
  const overall = means.some((mean) => mean === null)
    ? null
    : (means as number[]).reduce((total, mean) => total + mean, 0) / means.length;
  near('diagnostic_valid_score', overall, report.diagnostic_valid_score);
  const official = report.task_set_semantic_sha256 === RELEASED_CORE_ROWS_SHA256;
  const bound = official || report.task_set_binding === 'declared';
  const comparable = coverage.valid === coverage.tasks && bound;
  same('comparable', comparable, report.comparable);
  near('flavourbench_score', comparable ? overall : null, report.flavourbench_score);
  if (coverage.valid < coverage.tasks) same('inference', null, report.inference);
}

/** First place where two documents differ, with both values; undefined where they are equal. */
function firstDifference(
  expected: PyValue | undefined,
  found: PyValue | undefined,
  path = '',
): { path: string; expected: string; found: string } | undefined {
  const text = (value: PyValue | undefined) =>
    value === undefined ? 'nothing' : pyCanonical(value, { lenient: true });
  if (text(expected) === text(found)) return undefined;
  const isTree = (value: unknown): value is { [key: string]: PyValue } =>
    typeof value === 'object' && value !== null && !('value' in value);
  if (isTree(expected) && isTree(found)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      const place = Array.isArray(expected) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      const inner = firstDifference(expected[key], found[key], place);
      if (inner !== undefined) return inner;
    }
  }
  return { path, expected: text(expected), found: text(found) };
}

/**
 * Checks a laboratory report by itself: its digest, its schema, and everything that follows from its own rows. `path` names it in
 * errors: VERIFY_FAILED (exit 4) at the first that does not hold; those of `statedParser`.
 */
export function checkReport(text: string, path: string): ReportDocument {
  const value = parseJson(text, { file: path }) as Record<string, unknown>;
  const document = checked(
    reportSchema,
    value,
    { file: path },
    'A report is what `flavourbench score` writes; score the responses again.',
    'VERIFY_FAILED',
    { exit: 4 },
  );
  assertDigests(value, { file: path }, SCORE_AGAIN, { text, code: 'VERIFY_FAILED' });
  if (document.parser_sha256 !== undefined) statedParser(document, { file: path, path: 'parser' });
  checkConsistency(path, document);
  return document;
}

/** Compares a report with the one that its inputs give. Errors: VERIFY_FAILED (exit 4) at the first difference. */
export function assertSameReport(text: string, again: Report, path: string): void {
  const { artifact_sha256: _, ...stated } = parsePyJson(text, { file: path }) as { [key: string]: PyValue };
  const { artifact_sha256: __, ...expected } = again.document;
  const first = firstDifference(expected as PyValue, stated);
  if (first === undefined) return;
  const what = `expected ${shown(first.expected)}, found ${shown(first.found)}`;
  fail('VERIFY_FAILED', { file: path, path: first.path }, what, SCORE_AGAIN, { exit: 4 });
}
