import { InvalidArgumentError, Option } from 'commander';
import { PHASES } from '../ledger/cell.js';

/** A whole number of at least 1; `50_000`, `50,000` and `1e6` are understood. */
export function countOption(text: string): number {
  const value = /^[\d_,]+$|^\d+e\d+$/i.test(text) ? Number(text.replace(/[_,]/g, '')) : Number.NaN;
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('A whole number of at least 1 is expected.');
  return value;
}

/** An unsigned 64-bit seed. */
export function seedOption(text: string): bigint {
  if (!/^\d{1,20}$/.test(text) || BigInt(text) >= 1n << 64n)
    throw new InvalidArgumentError('An unsigned 64-bit integer is expected.');
  return BigInt(text);
}

/** A finite decimal number. */
export function numberOption(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) throw new InvalidArgumentError('A number is expected.');
  return value;
}

/** `--phase`, primary unless given. */
export function phaseOption(): Option {
  return new Option('--phase <phase>', 'which phase').choices(PHASES).default('primary');
}
