import { fail } from '../util/error.js';
import type { ReportDocument } from './report-schema.js';

/** What two reports over one task set say of each other. */
export interface ReportComparison {
  /** Score of the one less score of the other; null where a score is withheld. */
  readonly difference: number | null;
  /** Tasks on which the one has more points, fewer, and as many. */
  readonly higher: number;
  readonly lower: number;
  readonly equal: number;
}

/** A report and the file it stands in. */
interface NamedReport {
  readonly file: string;
  readonly report: ReportDocument;
}

/**
 * Compares two reports, task by task. Reports over other tasks or maps, and answers that another parser read, are never compared. Errors:
 * REPORTS_MIXED with both digests or names.
 */
export function compareReports(own: NamedReport, other: NamedReport): ReportComparison {
  const parts = [
    ['task set', ({ task_set_semantic_sha256: sha256 }: ReportDocument) => sha256],
    ['parser', ({ parser = 'flavourbench-selection-set-parser-v3' }: ReportDocument) => parser],
  ] as const;
  for (const [what, of] of parts) {
    const [here, there] = [of(own.report), of(other.report)];
    if (here !== there)
      fail(
        'REPORTS_MIXED',
        { file: other.file },
        `${what} ${there} stands here, ${own.file} has ${here}`,
        what === 'parser' ? 'Score both with one --parser.' : 'Score both on the same task files and core.',
      );
  }
  const points = new Map(other.report.per_task.map(({ task_id, score_bps }) => [task_id, score_bps]));
  const signs = own.report.per_task.map(({ task_id, score_bps }) => Math.sign(score_bps - points.get(task_id)!));
  const count = (sign: number) => signs.filter((found) => found === sign).length;
  const [a, b] = [own.report.flavourbench_score, other.report.flavourbench_score];
  return { difference: a === null || b === null ? null : a - b, higher: count(1), lower: count(-1), equal: count(0) };
}
