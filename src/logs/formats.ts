import { INSPECT_JSON } from './inspect.js';
import { INSPECT_EVAL } from './inspect-eval.js';
import { LM_EVAL } from './lm-eval.js';
import type { LogFormat } from './log-format.js';
import { PROMPTFOO } from './promptfoo.js';

/** The logs that are read, in the order in which a file is tried. There is no other list of them. */
export const LOG_FORMATS: readonly LogFormat[] = [INSPECT_EVAL, LM_EVAL, INSPECT_JSON, PROMPTFOO];

/** Names of the harnesses whose logs are read, each once. */
export const LOG_NAMES: readonly string[] = [...new Set(LOG_FORMATS.map(({ name }) => name))];
