import { protocolWords } from '../../collect/asked.js';
import { type Html, html } from '../../draw/html.js';
import { rankText } from '../../inference/model-ranks.js';
import type { TextTable } from '../../io/text-table.js';
import { coverageText, fixed, thousands } from '../../util/format.js';
import type { CaseAnswer } from '../cases.js';
import { isGrouped, shownRanks } from '../figure-rows.js';
import { byRank, familyName, isFood, modelName, simulatedModels, simulatedNotice } from '../names.js';
import { differenceText } from '../proofs/differences.js';
import type { Verification } from '../proofs/verification.js';
import { LIMITS } from '../statement.js';
import type { ReleaseView } from '../view.js';

/** Shows the numbers that a reader wants first. */
export function factsSection(view: ReleaseView): Html {
  const { leaderboard } = view;
  const facts: readonly (readonly [string, string])[] = [
    ['models', thousands(leaderboard.models.length)],
    ['tasks', thousands(leaderboard.tasks)],
    ['answers', thousands(leaderboard.models.length * leaderboard.tasks)],
    ['clusters', thousands(leaderboard.clusters)],
    [
      isGrouped(view) ? 'pairs resolved' : 'pairs told apart',
      `${thousands(leaderboard.resolvedPairs)} of ${thousands(leaderboard.pairs.length)}`,
    ],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Words what has to be said of models that were formulas; null where there are none. */
export function formulaNotice(view: ReleaseView): string | null {
  const simulated = simulatedModels(view);
  const names = byRank(view.leaderboard.models)
    .filter(({ modelId }) => simulated.has(modelId))
    .map((model) => modelName(view, model));
  return simulatedNotice({ models: view.leaderboard.models.length, names });
}

/** Shows the digests by which the release is known, each with what it pins. */
export function digestsSection({ kind, digest, address }: ReleaseView): Html {
  if (kind === 'published') return html`<p class="muted">Published document <code>${digest}</code></p>`;
  return html`<p class="muted">Address of the release, that of every file (MANIFEST.json): ${address === null ? 'no manifest' : html`<code>${address}</code>`}<br>Digest of its numbers (release.json): <code>${digest}</code></p>`;
}

/** Words what may be said about the first place. */
export function leaderSentence(view: ReleaseView, failed = false): string {
  const { leaderboard } = view;
  const first = byRank(leaderboard.models)[0];
  if (first === undefined) return '';
  const simulated = simulatedModels(view);
  const formula = simulated.has(first.modelId) && simulated.size < leaderboard.models.length;
  const name = `${modelName(view, first)}${formula ? ' (simulated)' : ''}`;
  if (failed)
    return `Verification failed, so no model is named best; the files state ${fixed(first.score, 1)} for ${name} in the first row.`;
  return leaderboard.top === null
    ? `${name} has the largest point estimate, ${fixed(first.score, 1)}; corrected tests name no single best model.`
    : `${name} scores ${fixed(first.score, 1)} and is above every other model after correction.`;
}

/** Shows every model with its intervals; sortable and filtered where scripts run. */
export function leaderboardSection(view: ReleaseView, failed = false): Html {
  const {
    models,
    plan: { alpha },
  } = view.leaderboard;
  const grouped = isGrouped(view);
  const columns = [
    'Rank',
    grouped ? 'Group' : 'Letters',
    'Model',
    'Score',
    `Simultaneous ${coverageText(alpha)}`,
    `Pointwise ${coverageText(alpha)}`,
    grouped ? `Rank ${coverageText(alpha)}` : 'Rank set',
    'Above chance',
  ];
  const interval = ([low, high]: readonly [number, number], places: number) =>
    `${fixed(low, places)} to ${fixed(high, places)}`;
  const cell = (value: number | string, text: Html | string, style = 'right') =>
    html`<td class="${style}" data-value="${value}">${text}</td>`;
  const simulated = simulatedModels(view);
  const rows = byRank(models).map((model) => {
    const name = modelName(view, model);
    const above = model.chance === null ? 'not known' : model.chance.aboveChance ? 'yes' : 'no';
    const id = name === model.modelId ? null : html`<span class="id">${model.modelId}</span>`;
    const formula =
      simulated.has(model.modelId) && simulated.size < models.length
        ? html`<span class="id">simulated: a formula</span>`
        : null;
    return html`<tr>${[
      cell(model.rank, rankText(model)),
      grouped ? cell(model.group, String(model.group)) : cell(model.letters ?? '', model.letters ?? '', 'left'),
      cell(name, html`${name}${id}${formula}`, 'left'),
      cell(model.score, fixed(model.score, 2)),
      cell(model.simultaneous[0], interval(model.simultaneous, 2)),
      cell(model.pointwise[0], interval(model.pointwise, 2)),
      cell(shownRanks(model)[0], interval(shownRanks(model), 0)),
      cell(model.chance?.aboveChance ? 1 : 0, above, 'centre'),
    ]}</tr>`;
  });
  const heads = columns.map((title, i) => {
    const style = i === 2 ? 'left' : i === 7 ? 'centre' : 'right';
    return i === 2
      ? html`<th scope="col" class="${style}" data-text="yes"><button type="button">${title}</button></th>`
      : html`<th scope="col" class="${style}"><button type="button">${title}</button></th>`;
  });
  return html`<section id="leaderboard"><h2>Leaderboard</h2>
<p>${leaderSentence(view, failed)} ${grouped ? 'Models of one group are' : 'Two models that share a letter are'} not told apart by corrected tests; a point rank alone is no evidence.</p>
<p class="filter" hidden><label>Filter models <input type="search" autocomplete="off"></label> <output></output></p>
<div class="scroll"><table data-sort="yes"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** Shows a table as it is printed elsewhere. */
export function tableMarkup(number: number, table: TextTable): Html {
  const style = (i: number) => table.columns[i]?.align ?? 'left';
  return html`<div class="scroll"><table><caption>Table ${number}. ${table.caption}</caption><thead><tr>${table.columns.map(({ title }, i) => html`<th scope="col" class="${style(i)}">${title}</th>`)}</tr></thead><tbody>${table.rows.map((row) => html`<tr>${row.map((text, i) => html`<td class="${style(i)}">${text}</td>`)}</tr>`)}</tbody></table></div>`;
}

/** Shows the case studies with the words of the answers. */
export function casesSection(view: ReleaseView): Html | null {
  const { cases } = view;
  if (cases === null) return null;
  const answer = (title: string, own: CaseAnswer) =>
    html`<div><h4>${title}: ${own.model}</h4><p>${own.ingredients.length === 0 ? 'no selection' : own.ingredients.join(', ')}${own.score === null ? '' : `: ${fixed(own.score, 2)} points`}</p>${own.text === null ? null : html`<pre>${own.text}</pre>`}</div>`;
  return html`<section id="cases"><h2>Case studies</h2><p>One task a family, chosen by hash and never by score, with the answers of the first and the last model as they came.</p>${cases.map((study) => html`<h3>${familyName(study.family)} <code>${study.id}</code></h3>${study.prompt === '' ? null : html`<details><summary>prompt</summary><pre>${study.prompt}</pre></details>`}<div class="answers">${[answer('Highest rank', study.higher), answer('Lowest rank', study.lower)]}</div>`)}</section>`;
}

/** Says how the numbers came about. */
export function methodSection(view: ReleaseView): Html {
  const { leaderboard } = view;
  const panels = leaderboard.replication === null ? '' : ' and panel';
  const paragraphs = [
    `Each task offers a set of ${isFood(view) ? 'ingredients' : 'items'}; an environment has scored every portfolio of it, 0 to 100, before any model was asked. An answer scores what the map says. The score of a model is the mean over strata of family${panels} with equal weights.`,
    ...(view.protocol === undefined ? [] : [protocolWords(view.protocol)]),
    ...(view.standing === undefined ? [] : [view.standing]),
    `Intervals: ${thousands(leaderboard.plan.draws)} bootstrap draws of ${thousands(leaderboard.clusters)} anchor clusters; a cluster moves whole. The simultaneous band covers all ${leaderboard.models.length} scores at once (max-t, critical value ${fixed(leaderboard.bandCritical, 3)}).`,
    `Pairs: ${thousands(leaderboard.pairs.length)} two-sided sign-flip tests with ${thousands(leaderboard.plan.flips)} draws, ${leaderboard.plan.multiplicity === 'max-t' ? 'max-T' : 'Holm'} at familywise ${leaderboard.plan.alpha}; ${thousands(leaderboard.resolvedPairs)} are told apart. ${isGrouped(view) ? 'Groups are contiguous in rank: a model joins a group unless it differs significantly from a member.' : 'A rank set holds the ranks that the data allow a model, for all models at once.'}`,
    `Seed ${leaderboard.plan.seed}.`,
  ];
  return html`<section id="method"><h2>Method</h2>${paragraphs.map((text) => html`<p>${text}</p>`)}</section>`;
}

/** Says what comes before everything else on the page: whether it may be believed. */
export function verificationNotice(verification: Verification | null): Html | null {
  if (verification === null)
    return html`<p class="notice">Not verified when this page was made: the numbers below are as the files state them.</p>`;
  if (verification.status === 'PASS') return null;
  const { difference_count: count, differences } = verification;
  const [first] = differences;
  return html`<div class="alarm" role="alert"><p><strong>VERIFICATION FAILED</strong>: ${thousands(count)} ${count === 1 ? 'difference' : 'differences'}. The files of this release do not bear each other out. Rely on nothing below, neither number nor figure.</p>${first === undefined ? null : html`<p>First: ${differenceText(first)}. <a href="#verification">What was checked</a></p>`}</div>`;
}

/** Says what was checked when the page was made, and what no check can show. */
export function verificationSection(verification: Verification | null): Html {
  if (verification === null) {
    return html`<section id="verification"><h2>Verification</h2><p class="verdict">Not verified when this page was made.</p></section>`;
  }
  const { status, checked, notes, differences, difference_count: count } = verification;
  const passed = status === 'PASS';
  return html`<section id="verification"><h2>Verification</h2>
<p class="verdict ${passed ? 'pass' : 'fail'}">${passed ? 'PASS' : `FAIL: ${count} ${count === 1 ? 'difference' : 'differences'}`}</p>
${verification.sha256 === null ? null : html`<p>${verification.kind === 'release' ? 'Address of the release (MANIFEST.json)' : 'Digest of what was verified'}: <code>${verification.sha256}</code></p>`}
${differences.length === 0 ? null : html`<ul>${differences.slice(0, 20).map((d) => html`<li><code>${d.file}</code> ${d.at}: ${d.expected} expected, found ${d.found}</li>`)}</ul>`}
<div class="scroll"><table><caption>Checked, and how many of it</caption><thead><tr><th scope="col">What</th><th scope="col" class="right">Count</th></tr></thead><tbody>${checked.map((row) => html`<tr><td>${row.what}</td><td class="right">${thousands(row.count)}</td></tr>`)}</tbody></table></div>
${notes.length === 0 ? null : html`<p>Not looked at:</p><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
<p>No verification can show:</p><ul>${LIMITS.map((limit) => html`<li>${limit}</li>`)}</ul></section>`;
}
