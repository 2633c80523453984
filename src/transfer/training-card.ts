import type { LeakageProof } from './leakage.js';
import type { SplitRule } from './split.js';
import type { Dataset } from './training-dataset.js';

/** The block by which data set hubs and loaders find the parts. */
function configs(dataset: Dataset): string[] {
  const names = new Set(dataset.files.map(({ name }) => name));
  const stems = ['sft', 'sft_format_control', 'dpo', 'grpo'].filter((stem) => names.has(`${stem}_train.jsonl`));
  return [
    '---',
    'configs:',
    ...stems.flatMap((stem) => [
      `- config_name: ${stem}`,
      '  data_files:',
      ...['train', 'validation'].flatMap((split) => [`  - split: ${split}`, `    path: ${stem}_${split}.jsonl`]),
    ]),
    '---',
    '',
  ];
}

/** Writes the README of a training data set: what is in it, how it was divided, what may not be done with it. */
export function trainingCard(dataset: Dataset, proof: LeakageProof, rule: SplitRule): string {
  const held = rule.evaluation > 0;
  const supplemental = proof.supplemental_overlaps
    .filter(({ right, anchors }) => right === 'evaluation' && anchors > 0)
    .map(({ left, anchors }) => `${left} rows share ${anchors} anchors with the evaluation`);
  const controls = dataset.controls.map(
    ({ split, ...c }) =>
      `- ${split}: ${c.rows} rows, ${c.accidental_optima} accidental optima, ${c.unequal_histograms} unequal label histograms, ${c.unequal_lengths} unequal lengths; its answers score ${c.control_mean.toFixed(2)} where chance scores ${c.chance_mean.toFixed(2)}`,
  );
  return `${[
    ...configs(dataset),
    '# Training rows from executable reward maps',
    '',
    `Rule \`${rule.name}\`, salt \`${rule.salt}\`. Anchors are divided by salted hash within each panel-family stratum: ${held ? `${rule.evaluation} for evaluation, ` : ''}${rule.validation} for validation, the rest for training.`,
    '',
    '| file | rows |',
    '| --- | ---: |',
    ...dataset.files.map(({ name, rows }) => `| \`${name}\` | ${rows.length} |`),
    '',
    '`sft_*` rows carry the optimum, `dpo_*` rows four preferences a task at least 500 basis points apart, `grpo_*` rows the whole map of 56 scores. Every map was made by a program before any model was asked; it is a reference, not human taste.',
    '',
    '## What was kept apart',
    '',
    ...proof.splits.map(({ name, tasks, anchors }) => `- ${name}: ${tasks} tasks, ${anchors} anchors`),
    '',
    'Train, validation, evaluation and core share no task id, anchor, prompt or exact candidate set; `leakage.json` names every one and counts. Single ingredients recur, and are counted there too.',
    ...(supplemental.length === 0
      ? []
      : [
          '',
          `Supplemental rows follow their own anchors. They share none with the core, but ${supplemental.join(', ')}: they are no part of a study.`,
        ]),
    ...(controls.length === 0
      ? []
      : [
          '',
          '## Format control',
          '',
          'The same prompts with optima rotated onto other tasks: it teaches the answer line and nothing about the maps.',
          '',
          ...controls,
        ]),
    '',
    '## Not allowed',
    '',
    held ? 'Training on the ranked core, or on the evaluation split.' : 'Training on the ranked core.',
  ].join('\n')}\n`;
}
