import { useEffect, useState } from 'preact/hooks';
import type { DrawOptions } from '../../draw/look.js';
import type { ArrowColumn } from '../../io/arrow.js';
import { byRank } from '../../release/names.js';
import { statedOutcome } from '../../release/released-outcomes.js';
import { general, thousands } from '../../util/format.js';
import { dataText, plain } from '../../util/text.js';
import type { Opened, OpenedAnalysis } from '../sources/opened.js';
import { Drawing } from './drawing.js';
import { Scroll } from './scroll.js';

interface AnalysisDetailProps {
  readonly opened: Opened;
  readonly item: OpenedAnalysis;
}

/** What an analysis says, made from its document. */
interface Read {
  readonly words: string;
  readonly columns: readonly ArrowColumn[];
  readonly draw: (options: DrawOptions) => Promise<string>;
}

function readItem({ stated }: Opened, { analysis, document, file }: OpenedAnalysis): Read {
  const models = stated
    ? byRank(stated.inference.models)
        .map(({ modelId, name, rank, rankTied, index }) => ({ modelId, name, short: name, rank, rankTied, index }))
        .sort((a, b) => a.index - b.index)
    : [];
  const outcome = { ...statedOutcome(analysis!.schema, file, document), models };
  return {
    words: analysis!.words(outcome),
    columns: analysis!.columns(outcome),
    draw: (options) => analysis!.draw(outcome, options),
  };
}

/** One analysis: what it shows and what it does not, its own figure, its plan, its table. */
export function AnalysisDetail({ opened, item }: AnalysisDetailProps) {
  const [read, setRead] = useState<Read | { readonly reason: string } | null>(null);
  useEffect(() => {
    try {
      setRead(readItem(opened, item));
    } catch (error) {
      setRead({ reason: error instanceof Error ? error.message : String(error) });
    }
  }, [opened, item]);
  if (read === null) return <p class="muted">Reading…</p>;
  if ('reason' in read) return <p role="alert">This document cannot be shown: {read.reason}</p>;
  const { analysis, document } = item;
  const warnings = warningsOf(document.run);
  return (
    <>
      <div class="facing">
        <div>
          <p class="muted">{analysis!.summary}</p>
          <p class="said cannot">{plain(read.words)}</p>
          {warnings.length > 0 && (
            <ul class="notes">
              {warnings.map((text) => (
                <li key={text}>{text}.</li>
              ))}
            </ul>
          )}
        </div>
        <Drawing draw={read.draw} alt={`${analysis!.name}: ${plain(read.words)}`} />
      </div>
      <details>
        <summary>Plan</summary>
        <Plan plan={document.plan} />
      </details>
      <details>
        <summary>Table</summary>
        <Columns columns={read.columns} />
      </details>
    </>
  );
}

function warningsOf(run: unknown): string[] {
  const { warnings } = (typeof run === 'object' && run !== null ? run : {}) as { readonly warnings?: unknown };
  return Array.isArray(warnings) ? warnings.slice(0, 50).map((text) => plain(dataText(text))) : [];
}

function Plan({ plan }: { readonly plan: unknown }) {
  const entries = typeof plan === 'object' && plan !== null ? Object.entries(plan) : [];
  return (
    <Scroll label="Plan of the analysis">
      <table class="facts">
        <tbody>
          {entries.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{plain(name).replaceAll('_', ' ')}</th>
              <td>{value === null ? 'none' : plain(dataText(value))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Rows of a table that are shown: past them a file is the better place. */
const MOST_ROWS = 500;

function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'number' && !Number.isInteger(value) ? general(value, 6) : plain(String(value));
}

function Columns({ columns }: { readonly columns: readonly ArrowColumn[] }) {
  const rows = columns[0]?.values.length ?? 0;
  const shown = Math.min(rows, MOST_ROWS);
  const isNumber = ({ kind }: ArrowColumn) => kind !== 'text' && kind !== 'bool';
  return (
    <>
      {rows > shown && (
        <p class="muted">
          The first {shown} of {thousands(rows)} rows.
        </p>
      )}
      <Scroll label="Table of the analysis">
        <table class="facts">
          <thead>
            <tr>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {plain(name).replaceAll('_', ' ')}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: shown }, (_, r) => (
              <tr key={r}>
                {columns.map((column) => (
                  <td key={column.name} class={isNumber(column) ? 'number' : undefined}>
                    {cellText(column.values[r])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
