import { InvalidArgumentError, Option } from 'commander';
import { BACKENDS } from '../engine/engine.js';
import type { MapKernels } from '../engine/maps.js';
import { PHASES } from '../ledger/cell-key.js';
import { fail, shown } from '../util/error.js';
import { either } from '../util/format.js';
import { nearestHint } from '../util/spelling.js';

/** Largest count: more draws, data sets or tasks are counted nowhere. */
const MOST = 2 ** 31 - 1;

/** Reads a whole number from 1 to 2^31 - 1; `50_000`, `50,000` and `1e6` are understood. */
export function countOption(text: string): number {
  const value = /^[\d_,]+$|^\d+e\d+$/i.test(text) ? Number(text.replace(/[_,]/g, '')) : Number.NaN;
  if (!(value >= 1)) throw new InvalidArgumentError('A whole number of at least 1 is expected.');
  if (value > MOST) throw new InvalidArgumentError(`At most ${MOST} is possible.`);
  return value;
}

/** Collects the texts of an option that may be given several times. */
export const collected = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
];

/** Reads an unsigned 64-bit seed. */
export function seedOption(text: string): bigint {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) >= 1n << 64n)
    throw new InvalidArgumentError('An unsigned 64-bit integer is expected.');
  return BigInt(text);
}

/** Reads a finite decimal number. */
export function numberOption(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError('A number is expected.');
  return value;
}

/** Reads a port of this machine: 0 is any that is free. Errors: USAGE. */
export function portOption(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    fail(
      'USAGE',
      null,
      `${shown(text)} is no port`,
      'A port is a whole number from 0, which is any free one, to 65535.',
    );
  return port;
}

/** Makes the option `--phase`, primary unless given. */
export function phaseOption(): Option {
  return new Option('--phase <phase>', 'which phase').choices(PHASES).default('primary');
}

/** Makes the option `--backend` of a command that resamples, chosen by size unless given. */
export function backendOption(): Option {
  return new Option('--backend <name>', `auto (by size), ${either(BACKENDS)}`).default('auto');
}

/** Makes the option `--threads` of a command that resamples. */
export function threadsOption(): Option {
  return new Option('--threads <n>', 'worker threads of pool (default: the processors)').argParser(countOption);
}

/** Opens the map kernels that a `--backend` option names. Errors: USAGE where it is neither `wasm` nor `reference`. */
export async function mapKernels(backend: string): Promise<MapKernels> {
  if (backend === 'wasm') return (await import('../engine/wasm/maps.js')).openWasmMapKernels();
  if (backend === 'reference') return (await import('../engine/reference/maps.js')).referenceMapKernels;
  fail(
    'USAGE',
    null,
    `--backend is ${shown(backend)}; wasm or reference is expected`,
    nearestHint(backend, ['wasm', 'reference'], String),
  );
}
