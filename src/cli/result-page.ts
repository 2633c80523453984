import { createHash } from 'node:crypto';
import { html } from '../draw/html.js';
import type { ArrowColumn } from '../io/arrow.js';
import { general, thousands } from '../util/format.js';

export interface ResultPage {
  readonly title: string;
  /** Paragraphs, the most important first. */
  readonly words: readonly string[];
  /** Sentences without a full stop. */
  readonly notes: readonly string[];
  /** As SVG. */
  readonly figure: string;
  readonly columns: readonly ArrowColumn[];
  /** What was read, in one line; absent where no scores were. */
  readonly read?: string;
  readonly resultsSha256: string;
}

/** Rows that a page shows: past them a browser is slow, and the table is a file. */
const MOST_ROWS = 2000;

const STYLE = `
:root{color-scheme:light;--ink:#262b33;--muted:#5b6470;--line:#dfe4ea}
body{margin:0 auto;padding:24px 20px 40px;max-width:1000px;color:var(--ink);background:#fff;font:16px/1.5 "IBM Plex Sans",system-ui,Arial,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.6rem;line-height:1.2;margin:0 0 4px}h2{font-size:1.15rem;margin:32px 0 6px}
p,li{max-width:75ch}.muted{color:var(--muted);font-size:.88rem}
figure{margin:20px 0}figure svg{width:100%;max-width:760px;height:auto;display:block}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.88rem;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:break-word;max-width:34ch}th{font-weight:600}td.n,th.n{text-align:right}
code{font:.86em ui-monospace,Menlo,monospace}
`;

/** Writes a value of a column as a page shows it; nothing where it is null. */
function cellText(value: string | boolean | number | bigint | null): string {
  if (value === null) return '';
  return typeof value === 'number' && !Number.isInteger(value) ? general(value, 6) : String(value);
}

/** Makes a result one HTML page that needs nothing beside itself: what it says, its figure and its table. Loads the font. */
export async function resultPage(page: ResultPage): Promise<string> {
  const { title, words, notes, figure, columns, read, resultsSha256 } = page;
  const rows = columns[0]?.values.length ?? 0;
  const shown = Math.min(rows, MOST_ROWS);
  const numeric = columns.map(({ kind }) => (kind === 'text' || kind === 'bool' ? '' : 'n'));
  const body = html`<h1>${title}</h1>
${read === undefined ? null : html`<p class="muted">${read}</p>`}
${words.map((paragraph) => html`<p>${paragraph}</p>`)}
<figure>${{ html: figure }}</figure>
${notes.length === 0 ? null : html`<h2>Notes</h2><ul>${notes.map((note) => html`<li>${note}.</li>`)}</ul>`}
<h2>Table</h2>
${rows > shown ? html`<p class="muted">The first ${thousands(shown)} of ${thousands(rows)} rows; the table as CSV has all.</p>` : null}
<div class="scroll"><table>
<thead><tr>${columns.map(({ name }, i) => html`<th class="${numeric[i]!}" scope="col">${name}</th>`)}</tr></thead>
<tbody>
${Array.from({ length: shown }, (_, r) => html`<tr>${columns.map(({ values }, i) => html`<td class="${numeric[i]!}">${cellText(values[r] ?? null)}</td>`)}</tr>\n`)}
</tbody></table></div>
<p class="muted">Made by flavourbench. Digest of the results: <code>${resultsSha256}</code>. This page loads nothing.</p>`;
  const { fontRules } = await import('../draw/encode/font.js');
  const style = `${STYLE}${await fontRules(body.html)}\n`;
  const digest = createHash('sha256').update(style, 'utf8').digest('base64');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'; font-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ html: style }}</style>
</head>
<body>
${body}
</body>
</html>
`.html;
}
