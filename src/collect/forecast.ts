import { costMicros, microsToUsd } from './money.js';
import type { CellJob } from './schedule.js';

/** Tokens of an answer line, for the lower end of a forecast. */
const LINE_TOKENS = 16;

interface ForecastRow {
  readonly model_id: string;
  readonly cells: number;
  readonly prompt_tokens_about: number;
  /** Prompts and one answer line each. */
  readonly low_micros: number;
  /** Every reply as long as its ceiling allows: what the reservations add up to. */
  readonly ceiling_micros: number;
}

interface Forecast {
  readonly rows: readonly ForecastRow[];
  readonly cells: number;
  readonly low_micros: number;
  readonly ceiling_micros: number;
  readonly cap_micros: number;
  readonly low_usd: string;
  readonly ceiling_usd: string;
  readonly cap_usd: string;
  /** The cap covers even the ceiling. */
  readonly ceiling_fits: boolean;
  readonly low_fits: boolean;
}

/** Forecasts what the given cells may cost, in micro-USD, without a call. Prompt tokens are estimated as a quarter of the bytes. */
export function forecastCost(options: {
  readonly jobs: readonly CellJob[];
  /** Micro-USD. */
  readonly capMicros: number;
}): Forecast {
  const rows = new Map<string, { cells: number; tokens: number; low: number; ceiling: number }>();
  for (const { route, messages, reservation } of options.jobs) {
    const bytes = messages.reduce((sum, m) => sum + Buffer.byteLength(m.content), 0);
    const promptTokens = Math.ceil(bytes / 4);
    const row = rows.get(route.model_id) ?? { cells: 0, tokens: 0, low: 0, ceiling: 0 };
    row.cells += 1;
    row.tokens += promptTokens;
    row.low += costMicros({ price: route.price, promptTokens, completionTokens: LINE_TOKENS });
    row.ceiling += reservation.micros;
    rows.set(route.model_id, row);
  }
  const list = [...rows].map(([model_id, row]) => ({
    model_id,
    cells: row.cells,
    prompt_tokens_about: row.tokens,
    low_micros: row.low,
    ceiling_micros: row.ceiling,
  }));
  const sum = (pick: (row: ForecastRow) => number): number => list.reduce((total, row) => total + pick(row), 0);
  const low = sum((row) => row.low_micros);
  const ceiling = sum((row) => row.ceiling_micros);
  const { capMicros: cap } = options;
  return {
    rows: list,
    cells: options.jobs.length,
    low_micros: low,
    ceiling_micros: ceiling,
    cap_micros: cap,
    low_usd: microsToUsd(low),
    ceiling_usd: microsToUsd(ceiling),
    cap_usd: microsToUsd(cap),
    ceiling_fits: ceiling <= cap,
    low_fits: low <= cap,
  };
}
