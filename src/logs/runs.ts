import { sha256 } from '../io/digest.js';
import { joinedKey } from '../util/joined.js';
import type { LogCell } from './cell.js';
import type { LogFormat, LogRead } from './log-format.js';
import { type GivenFile, lastPart } from './opened-log.js';

/** A file that was read as a log. */
export interface ReadFile {
  readonly given: GivenFile;
  readonly format: LogFormat;
  readonly read: LogRead;
}

/** Keeps one log of each run: of two that are byte for byte the same, or of one run, the first; of a run that was repeated after it was stopped, the last. */
export function oncePerRun(read: readonly ReadFile[]): { kept: ReadFile[]; warnings: string[] } {
  const warnings: string[] = [];
  const runs = new Map<string, ReadFile>();
  const unique = read.filter((file) => {
    const { run, cells } = file.read;
    const id = run?.id ?? sha256(file.given.bytes);
    const key = joinedKey(file.format.name, id, cells[0]?.model ?? '', cells[0]?.family ?? '');
    const before = runs.get(key);
    if (before === undefined) runs.set(key, file);
    if (before === undefined || !isSame(before.read.cells, cells)) return true;
    warnings.push(`${file.given.name} is the same run as ${before.given.name}: it was read once`);
    return false;
  });
  const best = new Map<string, ReadFile>();
  for (const file of unique) {
    const { run } = file.read;
    if (run === undefined) continue;
    const before = best.get(run.of);
    if (before === undefined || isBetter(file, before)) best.set(run.of, file);
  }
  const kept = unique.filter((file) => {
    const { run } = file.read;
    if (run?.unfinished === undefined) return true;
    const other = best.get(run.of)!;
    if (other === file) {
      warnings.push(
        `the run in ${file.given.name} ended with status ${run.unfinished}: what it did not score is missing`,
      );
      return true;
    }
    warnings.push(
      `${file.given.name} (status ${run.unfinished}) was left out for ${lastPart(other.given.name)}, a later run of the same`,
    );
    return false;
  });
  return { kept, warnings };
}

/** Two files of one run can still differ: a run that was scored again keeps its id. */
function isSame(left: readonly LogCell[], right: readonly LogCell[]): boolean {
  const text = ({ sample, repeat, metric, value }: LogCell) => JSON.stringify([sample, repeat, metric, value]);
  const texts = new Set(left.map(text));
  return left.length === right.length && right.every((cell) => texts.has(text(cell)));
}

function isBetter({ read: { run: a } }: ReadFile, { read: { run: b } }: ReadFile): boolean {
  const [done, before] = [a!.unfinished === undefined, b!.unfinished === undefined];
  return done === before ? a!.began > b!.began : done;
}
