/** A positive double as the exact fraction mantissa x 2^exponent. */
function exact(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return field === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | 0x10000000000000n, exponent: field - 1075 };
}

/** value x 10^power rounded half to even on the exact binary value, value >= 0. */
function scaled(value: number, power: number): bigint {
  const { mantissa, exponent } = exact(value);
  let over = mantissa;
  let under = 1n;
  if (power >= 0) over *= 10n ** BigInt(power);
  else under *= 10n ** BigInt(-power);
  if (exponent >= 0) over <<= BigInt(exponent);
  else under <<= BigInt(-exponent);
  const quotient = over / under;
  const twice = (over % under) * 2n;
  if (twice > under || (twice === under && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

/**
 * Tells whether a positive number may lie half-way between two multiples of 10^-power. One that does is a whole multiple of 2^-(power + 1);
 * for all others the built-in methods round alike, as exactly and much faster.
 */
function maybeHalfWay(value: number, power: number): boolean {
  return Number.isInteger(value * 2 ** (power + 1));
}

/** Digits of an integer with a decimal point before the last `places`. */
function pointed(digits: string, places: number): string {
  const text = digits.padStart(places + 1, '0');
  return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
}

/** Writes a number as C's `%.{places}f` does: exact, half to even on exact ties, and a zero never has a sign. */
export function fixed(value: number, places: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no decimal digits`);
  const size = Math.abs(value);
  const text =
    size < 1e21 && !maybeHalfWay(size, places) ? size.toFixed(places) : pointed(String(scaled(size, places)), places);
  return `${value < 0 && /[1-9]/.test(text) ? '-' : ''}${text}`;
}

/** The significant digits of a positive number, and the exponent of ten of the first of them. */
function significant(value: number, precision: number): { readonly digits: string; readonly exponent: number } {
  const [near, power] = value.toExponential(precision - 1).split('e') as [string, string];
  // Where the digits were rounded up to the next power of ten, there was one place more.
  const places = precision - Number(power);
  if (places > 0 && !maybeHalfWay(value, places)) return { digits: near.replace('.', ''), exponent: Number(power) };
  let exponent = Number(value.toExponential().split('e')[1]);
  let digits = scaled(value, precision - 1 - exponent);
  if (digits >= 10n ** BigInt(precision)) {
    exponent += 1;
    digits = scaled(value, precision - 1 - exponent);
  }
  return { digits: String(digits), exponent };
}

/** Writes a number as C's `%.{precision}g` does: significant digits, trailing zeros dropped, exponent form below 1e-4 and from 10^precision on. */
export function general(value: number, precision: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} has no decimal digits`);
  if (value === 0) return '0';
  const { digits, exponent } = significant(Math.abs(value), precision);
  const sign = value < 0 ? '-' : '';
  if (exponent >= -4 && exponent < precision) {
    const text = pointed(digits, precision - 1 - exponent);
    return sign + (text.includes('.') ? text.replace(/\.?0+$/, '') : text);
  }
  const text = pointed(digits, precision - 1).replace(/\.?0+$/, '');
  const power = String(Math.abs(exponent)).padStart(2, '0');
  return `${sign}${text}e${exponent < 0 ? '-' : '+'}${power}`;
}

/** Writes a whole number with a comma at every thousand. */
export function thousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Writes what an interval at an error rate covers, in words: `95%` for 0.05. */
export function coverageText(alpha: number): string {
  return `${Number((100 * (1 - alpha)).toPrecision(6))}%`;
}

/** Writes a number of things: `1 task`, `1,200 tasks`. */
export function counted(n: number, noun: string): string {
  return `${thousands(n)} ${noun}${n === 1 ? '' : 's'}`;
}

/**
 * Chooses the decimal places in which a table of scores can be read, 1 to 15: one on a scale of 100, two on a scale of 10, three on a scale
 * of 1; more where all values lie close together, but for what is left of rounding.
 */
export function placesFor(values: Iterable<number>): number {
  const all = [...values];
  const size = (value: number) => (value > 0 ? Math.ceil(Math.log10(value)) : Number.NaN);
  const largest = size(all.reduce((most, value) => Math.max(most, Math.abs(value)), 0));
  const low = all.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = all.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
  const range = high - low > 1e-12 * Math.max(Math.abs(high), Math.abs(low)) ? high - low : 0;
  const places = [3 - largest, 2 - size(range)].filter((n) => !Number.isNaN(n));
  return Math.min(15, Math.max(1, ...places));
}

/**
 * Writes points in a sentence: with so many decimals, and more where those would show less than two digits of it; from ten thousand on
 * without any, a comma at every thousand.
 */
export function pointsText(value: number, places: number): string {
  const size = Math.abs(value);
  if (size >= 10_000) return fixed(value, 0).replace(/\B(?=(\d{3})+$)/g, ',');
  return fixed(value, size * 10 ** places < 10 ? placesFor([size]) : places);
}

/** Joins words as a sentence lists them: `a, b or c`. */
export function either(words: readonly string[]): string {
  return words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
