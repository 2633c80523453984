import { type PhiloxDraw, philoxDraw } from '../engine/index.js';
import { PORTFOLIOS } from '../tasks/task.js';
import { FEATURES } from './features.js';

/** Philox stream of the learner: draw 0 starts the weights, draw 1 + e orders the rows of epoch e. */
const LEARNER_STREAM = 11;

/** One row to imitate: a task's features and the portfolio to pick. */
export interface LearnerRow {
  readonly family: number;
  /** 56 x features. */
  readonly features: Float64Array;
  readonly target: number;
}

interface LearnerOptions {
  readonly families: number;
  readonly seed: bigint;
  readonly epochs: number;
  readonly rate: number;
  readonly batch: number;
}

/**
 * A softmax policy that is linear in the portfolio features, with one weight vector a family: a probe of how far the maps
 * can be imitated from an embedding, not a language model.
 */
export interface Policy {
  /** families x features. */
  readonly weights: Float64Array;
  /** Mean cross-entropy over the training rows after each epoch. */
  readonly losses: readonly number[];
}

const ACTIONS = PORTFOLIOS.length;
const WIDTH = FEATURES.length;

function logits(features: Float64Array, weights: Float64Array, out: Float64Array): void {
  for (let a = 0; a < ACTIONS; a += 1) {
    let sum = 0;
    for (let f = 0; f < WIDTH; f += 1) {
      sum += features[a * WIDTH + f]! * weights[f]!;
    }
    out[a] = sum;
  }
}

/** Turns scores into probabilities in place. */
function softmax(values: Float64Array): void {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > most) most = value;
  let total = 0;
  for (let a = 0; a < ACTIONS; a += 1) total += values[a] = Math.exp(values[a]! - most);
  for (let a = 0; a < ACTIONS; a += 1) values[a]! /= total;
}

const familyWeights = (weights: Float64Array, family: number) => weights.subarray(family * WIDTH, (family + 1) * WIDTH);

/** Makes a policy that was not trained and prefers nothing: it takes the first portfolio of every task. */
export function untrained(families: number): Policy {
  return { weights: new Float64Array(families * WIDTH), losses: [] };
}

/** Weights to start from: small, different for each seed. */
function startingWeights(families: number, seed: bigint): Float64Array {
  const words: PhiloxDraw = philoxDraw({ seed, stream: LEARNER_STREAM, draw: 0 });
  return Float64Array.from({ length: families * WIDTH }, () => 0.2 * (words.word() / 2 ** 32 - 0.5));
}

/** Trains by plain gradient descent on the cross-entropy of the target portfolios, rows in a new order each epoch. */
export function train(rows: readonly LearnerRow[], options: LearnerOptions): Policy {
  const weights = startingWeights(options.families, options.seed);
  const probabilities = new Float64Array(ACTIONS);
  const gradient = new Float64Array(weights.length);
  const losses: number[] = [];
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    const order = philoxDraw({
      seed: options.seed,
      stream: LEARNER_STREAM,
      draw: 1 + epoch,
    }).subset(rows.length, rows.length);
    let loss = 0;
    for (let start = 0; start < order.length; start += options.batch) {
      const batch = order.subarray(start, start + options.batch);
      gradient.fill(0);
      for (const index of batch) {
        const row = rows[index]!;
        logits(row.features, familyWeights(weights, row.family), probabilities);
        softmax(probabilities);
        loss -= Math.log(Math.max(probabilities[row.target]!, 1e-300));
        addGradient(familyWeights(gradient, row.family), row, probabilities);
      }
      for (let i = 0; i < weights.length; i += 1) {
        weights[i]! -= (options.rate * gradient[i]!) / batch.length;
      }
    }
    losses.push(loss / rows.length);
  }
  return { weights, losses };
}

function addGradient(gradient: Float64Array, row: LearnerRow, probabilities: Float64Array): void {
  for (let a = 0; a < ACTIONS; a += 1) {
    const error = probabilities[a]! - (a === row.target ? 1 : 0);
    for (let f = 0; f < WIDTH; f += 1) {
      gradient[f]! += error * row.features[a * WIDTH + f]!;
    }
  }
}

/** Chooses the portfolio the policy prefers; the first of equals. */
export function choose(policy: Policy, family: number, features: Float64Array): number {
  const values = new Float64Array(ACTIONS);
  logits(features, familyWeights(policy.weights, family), values);
  let best = 0;
  for (let a = 1; a < ACTIONS; a += 1) if (values[a]! > values[best]!) best = a;
  return best;
}
