import { ALPACA_EVAL } from './alpaca-eval.js';
import { EVALPLUS } from './evalplus.js';
import { HELM } from './helm.js';
import { INSPECT_JSON } from './inspect.js';
import { INSPECT_EVAL } from './inspect-eval.js';
import { LIVECODEBENCH } from './livecodebench.js';
import { LM_EVAL } from './lm-eval.js';
import type { LogFormat } from './log-format.js';
import { MTEB } from './mteb.js';
import { PROMPTFOO_JSON } from './promptfoo.js';
import { PROMPTFOO_LINES } from './promptfoo-lines.js';
import { RLIABLE } from './rliable.js';
import { SWE_BENCH } from './swe-bench.js';

/** The logs that are read, in the order in which a file is tried. There is no other list of them. */
export const LOG_FORMATS: readonly LogFormat[] = [
  INSPECT_EVAL,
  LM_EVAL,
  PROMPTFOO_LINES,
  INSPECT_JSON,
  PROMPTFOO_JSON,
  HELM,
  SWE_BENCH,
  ALPACA_EVAL,
  EVALPLUS,
  LIVECODEBENCH,
  MTEB,
  RLIABLE,
];

/** Names of the harnesses whose logs are read, each once. */
export const LOG_NAMES: readonly string[] = [...new Set(LOG_FORMATS.map(({ name }) => name))];
