import { philoxDraw } from '../engine/philox.js';
import { orderKey } from '../io/digest.js';
import { PORTFOLIOS } from '../tasks/task.js';

/** Stream of simulated answers; results of measurements use low stream numbers. */
const STREAM = 0x2000;

interface SimulatedAnswer {
  readonly text: string;
  readonly finish: 'stop';
  readonly refused: boolean;
  /** The portfolio chosen, as its key; null for a refusal. */
  readonly selection: string | null;
  /** The text was broken on purpose. */
  readonly slipped: boolean;
}

type AnswerForm = (labels: readonly string[], names: readonly string[]) => string;

/** Ways in which models are known to get the answer line wrong; none of them can be parsed. */
const SLIPS: readonly AnswerForm[] = [
  (labels) => `My choice is ${labels.join(', ')}.`,
  (labels) => `FINAL_SELECTION: ${labels.slice(0, 2).join(',')}`,
  (labels) => `FINAL_SELECTION: ${labels[0]},${labels[0]},${labels[1]}`,
  () => 'FINAL_SELECTION:',
  (labels) => `FINAL_SELECTION: ${labels.join(',')} because they fit best`,
];

/** Ways that differ and can be parsed. */
const STYLES: readonly AnswerForm[] = [
  (labels) => `FINAL_SELECTION: ${labels.join(',')}`,
  (labels) => `FINAL_SELECTION: ${labels.join(', ')}`,
  (labels) => `final_selection: ${labels.join(',').toLowerCase()}`,
  (labels) => `I compared all eight.\nFINAL_SELECTION: ${labels.join(',')}`,
  (labels, names) =>
    names.length === 0 ? `FINAL_SELECTION: ${labels.join(',')}` : `FINAL_SELECTION: ${names.join(', ')}`,
];

/**
 * Makes the answer of a simulated model: it takes the portfolio with the largest skill x score + (1 - skill) x noise, so skill 1 always
 * finds the optimum and skill 0 draws among the 56 alike. Refusals and broken formats come at the given rates. A fixed function
 * of `key`; no measurement, and always labelled as simulated by whoever stores it.
 */
export function simulateAnswer(options: {
  readonly key: readonly string[];
  /** 56 basis points in PORTFOLIOS order. */
  readonly scores: ArrayLike<number>;
  /** Candidate names in label order; may be empty. */
  readonly choices: readonly string[];
  readonly skill: number;
  readonly refusalRate: number;
  readonly slipRate: number;
}): SimulatedAnswer {
  const { key, scores, choices, skill, refusalRate, slipRate } = options;
  const seed = BigInt(`0x${orderKey(...key).slice(0, 16)}`);
  const draw = philoxDraw({ seed, stream: STREAM, draw: 0 });
  const uniform = (): number => draw.word() / 2 ** 32;
  if (uniform() < refusalRate) {
    const text = 'I will not choose between these candidates.';
    return { text, finish: 'stop', refused: true, selection: null, slipped: false };
  }
  const slipped = uniform() < slipRate;
  const manner = slipped ? SLIPS : STYLES;
  const form = manner[Math.floor(uniform() * manner.length)]!;
  let best = 0;
  let bestValue = -1;
  for (let i = 0; i < PORTFOLIOS.length; i += 1) {
    const value = (skill * (scores[i] ?? 0)) / 10_000 + (1 - skill) * uniform();
    if (value > bestValue) {
      bestValue = value;
      best = i;
    }
  }
  const selection = PORTFOLIOS[best]!;
  const labels = [...selection];
  const names = labels.flatMap((label) => choices[label.charCodeAt(0) - 65] ?? []);
  return { text: form(labels, names), finish: 'stop', refused: false, selection, slipped };
}
