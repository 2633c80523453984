import { createHash } from 'node:crypto';
import { type Html, html } from '../../draw/html.js';
import { FIGURES, figureData } from '../figure-list.js';
import { figureSvg, type Missing } from '../figures.js';
import type { Verification } from '../proofs/verification.js';
import { releaseTables } from '../tables/release-tables.js';
import type { ReleaseView } from '../view.js';
import {
  casesSection,
  digestsSection,
  factsSection,
  formulaNotice,
  leaderboardSection,
  leaderSentence,
  methodSection,
  tableMarkup,
  verificationNotice,
  verificationSection,
} from './page-sections.js';
import { PAGE_SCRIPT, PAGE_STYLE } from './page-style.js';

export interface PageOptions {
  readonly view: ReleaseView;
  /** Null where nothing was verified; the page says so. */
  readonly verification: Verification | null;
}

const inlineDigest = (text: string) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;

/** Lets a page run its own script and style, named by digest, show the font inside it, and load nothing at all. */
const policy = (style: string) =>
  [
    "default-src 'none'",
    `style-src ${inlineDigest(style)}`,
    'font-src data:',
    `script-src ${inlineDigest(PAGE_SCRIPT)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Makes a release one HTML page that needs nothing beside itself: the same bytes for the same release. Errors: SCHEMA_INVALID. */
export async function releasePage({ view, verification }: PageOptions): Promise<string> {
  const { tables, missing } = releaseTables(view);
  const figures = await figuresSection(view);
  const cases = casesSection(view);
  const formulas = formulaNotice(view);
  const failed = verification?.status === 'FAIL';
  const links = [
    ['leaderboard', 'Leaderboard'],
    ['figures', 'Figures'],
    ['tables', 'Tables'],
    ...(cases === null ? [] : [['cases', 'Case studies']]),
    ['method', 'Method'],
    ['verification', 'Verification'],
  ] as const;
  const body = html`<header>
${verificationNotice(verification)}
<h1>${view.benchmark}</h1>
<p>${view.track}</p>
<p class="muted">${view.claim}</p>
${formulas === null ? null : html`<p><strong>${formulas}</strong></p>`}
${digestsSection(view)}
${factsSection(view)}
<nav aria-label="Sections"><ul>${links.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
</header>
<main>
${leaderboardSection(view, failed)}
${figures}
<section id="tables"><h2>Tables</h2>
${tables.filter(({ table }) => table.name !== 'leaderboard').map(({ number, table }) => tableMarkup(number, table))}
${leftOut('Tables', missing)}
</section>
${cases}
${methodSection(view)}
${verificationSection(verification)}
</main>
<footer><p>Made by flavourbench from the files of the release alone. This page loads nothing.</p></footer>`;
  const { fontRules } = await import('../../draw/encode/font.js');
  const style = `${PAGE_STYLE}${await fontRules(body.html)}\n`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${leaderSentence(view, failed)}">
<title>${failed ? 'VERIFICATION FAILED: ' : ''}${view.benchmark}: release ${(view.address ?? view.digest).slice(0, 12)}</title>
<style>${{ html: style }}</style>
</head>
<body>
${body}
<script>${{ html: PAGE_SCRIPT }}</script>
</body>
</html>
`;
  return page.html;
}

function leftOut(kind: string, missing: readonly Missing[]): Html | null {
  return missing.length === 0
    ? null
    : html`<p class="muted">${kind} left out for want of inputs: ${missing.map(({ number, name, needs }) => `${number} ${name} (${needs})`).join('; ')}.</p>`;
}

async function figuresSection(view: ReleaseView): Promise<Html> {
  const parts: Html[] = [];
  const missing: Missing[] = [];
  for (const { name, number, title, needs } of FIGURES) {
    const csv = figureData(view, name);
    if (csv === null) {
      missing.push({ name, number, needs: needs ?? '' });
      continue;
    }
    const light = await figureSvg(view, name, 'light');
    const dark = await figureSvg(view, name, 'dark');
    parts.push(
      html`<figure id="figure-${name}"><div class="light">${{ html: light.trim() }}</div><div class="dark">${{ html: dark.trim() }}</div><figcaption>Figure ${number}. ${title}.</figcaption><details class="data"><summary>what it draws</summary><pre>${csv}</pre></details></figure>`,
    );
  }
  return html`<section id="figures"><h2>Figures</h2><div class="figures">${parts}</div>${leftOut('Figures', missing)}</section>`;
}
