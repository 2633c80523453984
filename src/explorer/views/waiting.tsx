import { counted, fixed, thousands } from '../../util/format.js';
import type { HeldFile } from '../sources/held-file.js';
import type { Opened } from '../sources/opened.js';

/** How far the computation is that a page waits for: draws or flips of a kind. */
export interface Course {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

export interface WaitingProps {
  readonly files: readonly HeldFile[];
  /** What they turned out to be; null until they are read. */
  readonly opened: Opened | null;
  readonly course: Course | null;
}

const calledOf = (files: readonly HeldFile[]) =>
  files.length === 1 ? files[0]!.name.split('/').at(-1)! : counted(files.length, 'file');

function sizeOf(files: readonly HeldFile[]): string {
  const megabytes = files.reduce((sum, { size }) => sum + size, 0) / 1e6;
  return megabytes < 0.1 ? 'less than 0.1 MB' : `${fixed(megabytes, megabytes < 10 ? 1 : 0)} MB`;
}

/** What a page shows until there is something else: what it was given, what is being done with it, and how far that is. */
export function Waiting({ files, opened, course }: WaitingProps) {
  return (
    <main class="waiting" aria-busy="true">
      <h1>{opened?.name ?? calledOf(files)}</h1>
      <p class="muted">{opened?.reading ?? `${sizeOf(files)}, being read on this machine.`}</p>
      {opened?.matrix && (
        <p>
          What these scores support is computed here. A draw goes over all clusters of{' '}
          {counted(opened.matrix.tasks.length, 'task')} and every model, so that long tables take some seconds.
        </p>
      )}
      {course && (
        <label>
          {course.what}: {thousands(course.done)} of {thousands(course.total)}{' '}
          <progress value={course.done} max={course.total} />
        </label>
      )}
    </main>
  );
}
