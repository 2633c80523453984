import { escapeXml, rounded, textLine } from '../../draw/svg.js';
import { measured } from '../../draw/text.js';
import { byRank, rangeText, rankText } from '../../inference/model-ranks.js';
import { citation } from '../../io/envelope.js';
import { counted, coverageText, fixed, general, placesFor } from '../../util/format.js';
import { plain } from '../../util/text.js';
import type { AuditRun } from './rank-audit.js';

/** A file that others are told with: its name and its text. */
export interface Annotation {
  readonly name: string;
  readonly data: string;
}

/** What stands in every annotation: which result it tells. */
export interface AnnotatedAudit {
  readonly outcome: AuditRun;
  /** What the scores are called: the name of their file. */
  readonly source: string;
  readonly resultsSha256: string;
}

/**
 * Makes what an audit says elsewhere (decisions 6): a badge, a Markdown table for a README, and a `model-index` block in YAML for the cards of models.
 * Each names the program, its version and the digest of the results.
 */
export function auditAnnotations(audit: AnnotatedAudit): readonly Annotation[] {
  return [
    { name: 'badge.svg', data: badge(audit) },
    { name: 'ranks.markdown', data: markdown(audit) },
    { name: 'model-index.yaml', data: modelIndex(audit) },
  ];
}

const cited = ({ resultsSha256 }: AnnotatedAudit) => citation(resultsSha256);

const PLAIN = { size: 11, fill: '#ffffff', y: 14 } as const;
const MARGIN = 7;

/** The badge: how many steps of the order the data support, green where all of them. */
function badge(audit: AnnotatedAudit): string {
  const { models, separable_steps: supported } = audit.outcome.results;
  const steps = models.length - 1;
  const words = `${supported} of ${counted(steps, 'step')} supported`;
  const left = rounded(measured('ranks', PLAIN.size) + 2 * MARGIN);
  const right = rounded(measured(words, PLAIN.size) + 2 * MARGIN);
  const colour = supported === steps ? '#2f7d4f' : supported === 0 ? '#8a5a2b' : '#2d5f8a';
  const title = escapeXml(`ranks: ${words} (${cited(audit)})`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${rounded(left + right)}" height="20" role="img" aria-label="${title}" font-family="IBM Plex Sans, Verdana, sans-serif"><title>${title}</title><rect width="${left}" height="20" fill="#474f5a"/><rect x="${left}" width="${right}" height="20" fill="${colour}"/>${textLine('ranks', { ...PLAIN, x: left / 2, anchor: 'middle' })}${textLine(words, { ...PLAIN, x: left + right / 2, anchor: 'middle' })}</svg>\n`;
}

/** A text in a cell of a Markdown table: nothing in it is markup. */
const cell = (text: string) => plain(text).replace(/[\\`*_{}[\]()<>#+!|~&]/g, '\\$&');

function markdown(audit: AnnotatedAudit): string {
  const { outcome } = audit;
  const { inference, plan } = outcome;
  const ordered = byRank(inference.models);
  const places = placesFor(ordered.flatMap(({ score, pointwise }) => [score, ...pointwise]));
  const rows = ordered.map((model) => {
    const { modelId, score, pointwise, rankSet, letters } = model;
    const values = [
      rankText(model),
      cell(modelId),
      fixed(score, places),
      pointwise.map((end) => fixed(end, places)).join(' to '),
      rangeText(rankSet),
      letters ?? '',
    ];
    return `| ${values.join(' | ')} |`;
  });
  return [
    `| rank | model | score | ${coverageText(plan.alpha)} interval | ranks that the data allow | letters |`,
    '|---:|---|---:|---|---|---|',
    ...rows,
    '',
    `${cell(audit.source)}: ${counted(inference.tasks, 'task')}. Models that share a letter are not told apart (familywise error ${general(plan.alpha, 6)}). ${cited(audit)}.`,
    '',
  ].join('\n');
}

/** The block for the card of each model on a hub: a reader takes the entry of one. */
function modelIndex(audit: AnnotatedAudit): string {
  const { models } = audit.outcome.inference;
  const text = (value: string) => JSON.stringify(plain(value));
  const entries = byRank(models).map(({ modelId, score, pointwise, rankSet }) =>
    [
      `- name: ${text(modelId)}`,
      '  results:',
      '  - task:',
      '      type: text-generation',
      '    dataset:',
      `      name: ${text(audit.source)}`,
      `      type: ${text(audit.source)}`,
      '    metrics:',
      `    - name: ${text(`score (interval ${pointwise.map((end) => general(end, 6)).join(' to ')}${rankSet === null ? '' : `; ranks ${rangeText(rankSet)}`})`)}`,
      '      type: score',
      `      value: ${general(score, 12)}`,
      '      verified: false',
      '    source:',
      `      name: ${text(cited(audit))}`,
    ].join('\n'),
  );
  return `model-index:\n${entries.join('\n')}\n`;
}
