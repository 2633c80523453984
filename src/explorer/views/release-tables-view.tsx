import { useMemo } from 'preact/hooks';
import { releaseTables } from '../../release/tables/release-tables.js';
import { plain } from '../../util/text.js';
import type { Opened } from '../sources/opened.js';
import { Scroll } from './scroll.js';

/** The tables of a release as they are printed elsewhere; that of the leaderboard is a view of its own. */
export function ReleaseTables({ opened }: { readonly opened: Opened }) {
  const { tables, missing } = useMemo(() => releaseTables(opened.release!), [opened]);
  return (
    <>
      {tables
        .filter(({ table }) => table.name !== 'leaderboard')
        .map(({ number, table }) => (
          <Scroll key={table.name} label={`Table ${number}`}>
            <table class="facts">
              <caption>
                Table {number}. {plain(table.caption)}
              </caption>
              <thead>
                <tr>
                  {table.columns.map(({ title }) => (
                    <th key={title} scope="col">
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map((row, r) => (
                  <tr key={r}>
                    {row.map((text, c) => (
                      <td
                        key={table.columns[c]!.title}
                        class={table.columns[c]!.align === 'right' ? 'number' : undefined}
                      >
                        {plain(text)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        ))}
      <p class="muted cannot">
        As they would be printed, from what the files state. A difference between two rows is not thereby established:
        All pairs says which are.
      </p>
      {missing.length > 0 && (
        <p class="muted">
          Left out for want of what they need:{' '}
          {missing.map(({ number, name, needs }) => `${number} ${name} (${needs})`).join('; ')}.
        </p>
      )}
    </>
  );
}
