import type { ArrowColumn } from '../util/arrow.js';
import type { Theme } from '../util/figure.js';

/** What a reader gets of an analysis beside its document. */
export interface AnalysisReport {
  readonly columns: readonly ArrowColumn[];
  /** One paragraph: what the analysis shows, and what it does not. */
  readonly words: string;
  figure(theme: Theme): string;
}

const NAME = 34;

/** Marks that turn the direction of a text, and other controls. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]+/g;

/** A model name that fits an axis, cut in its middle: names differ at both ends. */
export function shortName(name: string): string {
  const letters = [...name.normalize('NFC').replace(UNSEEN, ' ').trim()];
  if (letters.length <= NAME) return letters.join('');
  const tail = NAME >> 1;
  return `${letters.slice(0, NAME - 1 - tail).join('')}…${letters.slice(-tail).join('')}`;
}

/** Labels of models: short names, or where those are alike, what stands from where the names part. */
function modelLabels(models: readonly string[]): ReadonlyMap<string, string> {
  const labels = new Map(models.map((model) => [model, shortName(model)]));
  const alike = new Map<string, string[]>();
  for (const [model, label] of labels) alike.set(label, [...(alike.get(label) ?? []), model]);
  for (const names of alike.values()) {
    if (names.length < 2) continue;
    const first = names[0] as string;
    const parts = names.map((name) => [...first].findIndex((letter, i) => name[i] !== letter));
    const from = Math.max(0, Math.min(...parts.filter((part) => part >= 0)) - 8);
    for (const name of names) {
      const rest = `…${shortName([...name].slice(from, from + NAME - 2).join(''))}…`;
      labels.set(name, rest);
    }
  }
  return labels;
}

/** A band axis with a row a model: rows are told apart by the id, whatever is left of it in the label. */
export function modelAxis(models: readonly string[]) {
  const labels = modelLabels(models);
  const tickFormat = (model: string) => labels.get(model) ?? '';
  return { label: null, type: 'band', domain: models, tickFormat } as const;
}

/** About ten whole ranks, the first and the last among them. */
export function rankTicks(n: number): number[] {
  const step = Math.max(1, Math.ceil(n / 10));
  const ticks = Array.from({ length: n }, (_, i) => i + 1).filter(
    (k) => (k - 1) % step === 0 && (n - k >= step / 2 || k === n),
  );
  return ticks.includes(n) ? ticks : [...ticks, n];
}

/** Left margin that holds the longest of the names. */
export function nameMargin(names: readonly string[]): number {
  return 24 + 7 * Math.max(...names.map((name) => shortName(name).length));
}

export const percent = (share: number, places = 0): string => `${(100 * share).toFixed(places)}%`;
export const three = (x: number | null): string => (x === null ? 'undefined' : x.toFixed(3));
