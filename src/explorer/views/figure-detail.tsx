import { useMemo } from 'preact/hooks';
import type { FigureEntry } from '../../release/figure-list.js';
import { plain } from '../../util/text.js';
import type { Opened } from '../sources/opened.js';
import { Drawing } from './drawing.js';
import { Scroll } from './scroll.js';

interface FigureDetailProps {
  readonly opened: Opened;
  readonly entry: FigureEntry;
}

/** A figure of a release, with what it draws as a table. */
export function FigureDetail({ opened, entry }: FigureDetailProps) {
  const view = opened.release!;
  const data = useMemo(() => entry.data(view), [entry, view]);
  const draw = useMemo(() => (options: Parameters<FigureEntry['draw']>[1]) => entry.draw(view, options), [entry, view]);
  return (
    <>
      <Drawing draw={draw} alt={entry.title} />
      {data && (
        <details>
          <summary>What it draws</summary>
          <Scroll label="What the figure draws">
            <table class="facts">
              <thead>
                <tr>
                  {data.header.map((name) => (
                    <th key={name} scope="col">
                      {plain(name).replaceAll('_', ' ')}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.rows.slice(0, 500).map((row, r) => (
                  <tr key={r}>
                    {row.map((value, c) => (
                      <td key={c} class={typeof value === 'number' ? 'number' : undefined}>
                        {plain(String(value))}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </details>
      )}
      <p class="muted cannot">
        Drawn on this machine from what the files state. Marks that lie apart are not thereby told apart, nor are those
        that overlap equal: All pairs says which are.
      </p>
    </>
  );
}
