import { useMemo } from 'preact/hooks';
import { placesFor } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { type ListedTask, listedTasks } from '../listed-tasks.js';
import { useRows, useWindow } from '../window.js';
import { OneTask } from './one-task.js';
import type { RankedProps } from './registry.js';

/** Height of a row of the list, pixels: the style sheet has the same. */
const ROW = 46;

/** All tasks as a list of which one is looked at: what was asked, what every choice is worth, what every model chose. */
export function TaskView({ opened, result, address, go }: RankedProps) {
  const tasks = useMemo(() => listedTasks(opened), [opened]);
  const text = address.tasks.toLowerCase();
  const found = useMemo(
    () => tasks.filter(({ id, family, panel }) => `${id} ${family} ${panel}`.toLowerCase().includes(text)),
    [tasks, text],
  );
  const chosen = tasks.find(({ id }) => id === address.task) ?? found[0] ?? tasks[0];
  if (chosen === undefined) return <p>There is no task here.</p>;
  return (
    <div class="beside">
      <TaskList {...{ found, all: tasks.length, chosen, find: address.tasks, go }} />
      <OneTask key={chosen.id} {...{ opened, result, address, go, task: chosen }} />
    </div>
  );
}

interface TaskListProps {
  readonly found: readonly ListedTask[];
  readonly all: number;
  readonly chosen: ListedTask;
  readonly find: string;
  readonly go: RankedProps['go'];
}

function TaskList({ found, all, chosen, find, go }: TaskListProps) {
  const shown = useWindow(found.length, ROW);
  const known = useMemo(() => found.every(({ mean }) => mean !== null), [found]);
  const places = useMemo(() => placesFor(found.map(({ mean }) => mean ?? 0)), [found]);
  // A table without families has one for all its tasks, which says nothing.
  const isParted = useMemo(() => found.some(({ family }) => family !== found[0]!.family), [found]);
  // `go` adds to the address as it stands.
  const made = useMemo(() => ({}), [found, chosen, go]);
  const lines = useRows(shown, made, (at) => {
    const { id, family, mean } = found[at]!;
    return (
      <tr key={id} aria-rowindex={at + 2}>
        <th scope="row" title={plain(id)}>
          <button
            type="button"
            class="plain"
            aria-current={id === chosen.id ? 'true' : undefined}
            onClick={() => go({ task: id })}
          >
            {plain(id)}
          </button>
          {isParted && <span class="muted">{plain(family)}</span>}
        </th>
        {known && <td class="number">{mean!.toFixed(places)}</td>}
      </tr>
    );
  });
  return (
    <section aria-label="Tasks" class="task-list">
      <p>
        <label class="find">
          Tasks with{' '}
          <input type="search" value={find} onInput={({ currentTarget }) => go({ tasks: currentTarget.value })} />
        </label>{' '}
        <span class="muted" role="status">
          {found.length} of {all}
        </span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by the keyboard */}
      <section class="scroll short" aria-label="List of tasks" ref={shown.ref} onScroll={shown.onScroll} tabIndex={0}>
        <table class="board" aria-rowcount={found.length + 1}>
          <thead>
            <tr>
              <th scope="col">Task</th>
              {known && (
                <th scope="col" class="number">
                  Mean
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {shown.before > 0 && <Spacer height={shown.before} />}
            {lines}
            {shown.after > 0 && <Spacer height={shown.after} />}
          </tbody>
        </table>
      </section>
      {known && <p class="muted">Mean: of the scores of all models on the task.</p>}
    </section>
  );
}

/** Stands for rows that are not in sight. */
function Spacer({ height }: { readonly height: number }) {
  return (
    <tr style={{ height: `${height}px` }}>
      <td />
    </tr>
  );
}
