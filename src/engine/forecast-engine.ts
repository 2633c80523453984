import { thousands } from '../util/format.js';
import { engineAround } from './around.js';
import { bootstrapMilliseconds, flipMilliseconds, studentisedMilliseconds } from './auto.js';
import type { Engine } from './engine.js';
import { MAX_ENUMERATED_CLUSTERS } from './request.js';

/** What a work will take, by the estimates that choose a backend; said before it starts. */
export interface Forecast {
  /** Of what there is how much: `2,000,000,000 sign flips`. */
  readonly what: string;
  /** On one thread. */
  readonly milliseconds: number;
  /** Memory for draws, beside what the program and the table take. */
  readonly bytes: number;
}

export type OnForecast = (forecast: Forecast) => void;

/** Draws fill at most so many bytes; what does not fit is made again in passes. */
const MOST_BYTES = 15 * 2 ** 28;

/** Bytes of draws of so many rows: a value a row, and the scratch in which they are ordered. */
const drawBytes = (draws: number, rows: number): number => Math.min(MOST_BYTES, draws * (8 * rows + 40));

const many = (count: number, what: string) => `${thousands(count)} ${what}`;

/** Gives an engine that says of every call, before it starts, what it will take. It changes no number. */
export function forecastEngine(engine: Engine, onForecast: OnForecast): Engine {
  const random = { kind: 'philox', seed: 0n, stream: 0 } as const;
  return engineAround(engine, {
    bootstrap(design, request) {
      const { draws } = request;
      const milliseconds = bootstrapMilliseconds(design, request);
      onForecast({ what: many(draws, 'bootstrap draws'), milliseconds, bytes: drawBytes(draws, design.rows) });
      return engine.bootstrap(design, request);
    },
    bootstrapValues(design, request) {
      const { draws } = request;
      const milliseconds = bootstrapMilliseconds(design, request);
      onForecast({ what: many(draws, 'bootstrap draws'), milliseconds, bytes: 8 * draws * design.rows });
      return engine.bootstrapValues(design, request);
    },
    studentised(design, request) {
      const { draws } = request;
      const milliseconds = studentisedMilliseconds(design, request);
      onForecast({ what: many(draws, 'studentised draws'), milliseconds, bytes: drawBytes(draws, design.rows) });
      return engine.studentised(design, request);
    },
    flips(design, request) {
      const milliseconds = flipMilliseconds(design, request);
      onForecast({ what: many(request.draws, 'sign flips'), milliseconds, bytes: 0 });
      return engine.flips(design, request);
    },
    exactFlips(design, request) {
      const draws = 2 ** Math.min(MAX_ENUMERATED_CLUSTERS, design.clusters);
      const milliseconds = flipMilliseconds(design, { ...request, draws, random });
      onForecast({ what: many(draws, 'sign vectors'), milliseconds, bytes: 0 });
      return engine.exactFlips(design, request);
    },
  });
}
