import { useMemo, useState } from 'preact/hooks';
import { counted } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { type DraftProps, TakesPart } from './choices-form.js';

/** Tasks that are listed at a time. */
const LISTED = 40;

/** Which tasks take part: those left out, and those whose name holds a text. */
export function TaskChoices({ scores, draft, set }: DraftProps) {
  const [find, setFind] = useState('');
  const { tasks } = scores.matrix;
  const { withoutTasks: left } = draft;
  const found = useMemo(() => {
    const text = find.trim().toLowerCase();
    if (text === '') return [];
    return tasks.filter((task) => task.toLowerCase().includes(text));
  }, [tasks, find]);
  const listed = [...new Set([...left, ...found])].slice(0, LISTED);
  return (
    <fieldset>
      <legend>Tasks left out: {left.length === 0 ? 'none' : left.length}</legend>
      <label>
        Find tasks <input type="search" value={find} onInput={({ currentTarget }) => setFind(currentTarget.value)} />
      </label>
      {find.trim() !== '' && (
        <p class="muted" role="status">
          {counted(found.length, 'task')} found
          {found.length > LISTED && `; the first ${LISTED} are listed`}
        </p>
      )}
      <div class="models">
        {listed.map((task) => (
          <TakesPart key={task} name={task} left={left} onLeft={(withoutTasks) => set({ withoutTasks })}>
            {plain(task)}
          </TakesPart>
        ))}
      </div>
    </fieldset>
  );
}
