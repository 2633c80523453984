import type { SchemaElement } from 'hyparquet';
import { shortDecimal, timeText } from '../plain-values.js';

/** Bits of the fraction of floats that are no doubles. */
function floatBits({ type, logical_type: logical }: SchemaElement): number | undefined {
  if (type === 'FLOAT') return 23;
  return logical?.type === 'FLOAT16' ? 10 : undefined;
}

const TIME_UNITS = ['SECONDS', 'MILLIS', 'MICROS', 'NANOS'];

/** In which power of a thousandth of a second a column holds times of day. */
function timeUnit({ converted_type: converted, logical_type: logical }: SchemaElement): number | undefined {
  if (logical?.type === 'TIME') return TIME_UNITS.indexOf(logical.unit);
  return converted?.startsWith('TIME_') ? TIME_UNITS.indexOf(converted.slice('TIME_'.length)) : undefined;
}

/** An element that says its day in the older word too, which is the one the library looks for. */
export function plainElement(element: SchemaElement): SchemaElement {
  return element.logical_type?.type === 'DATE' ? { ...element, converted_type: 'DATE' } : element;
}

/** Gives the values of a column as what they stand for: narrow floats as their short decimals, times of day as texts, which are no scores (reading 1.3). */
export function parquetCells(element: SchemaElement, values: ArrayLike<unknown>): ArrayLike<unknown> {
  const unit = timeUnit(element);
  if (unit !== undefined) return Array.from(values, (value) => timeText(value, unit));
  const bits = floatBits(element);
  if (bits === undefined) return values;
  return Array.from(values, (value) => (typeof value === 'number' ? shortDecimal(value, bits) : value));
}
