import type { ScoreMatrix } from '../../core/matrix.js';
import { lcm } from '../../util/divisor.js';
import { type ErrorPlace, fail, shown } from '../../util/error.js';
import { joinedNames } from '../../util/joined.js';

/** What a leaderboard states of its models: the mean of each in each stratum, points, and how many tasks the strata hold. */
export interface StatedLeaderboard {
  readonly families: readonly string[];
  readonly strata: readonly { readonly label: string; readonly tasks: number }[];
  readonly models: readonly { readonly id: string; readonly means: Readonly<Record<string, number>> }[];
}

const GIVE_MATRIX = 'Give the matrix or the answers instead.';

/** Panel and family of the label of a stratum. Errors: SCHEMA_INVALID where they cannot be told. */
function partsOf(label: string, families: readonly string[], place: ErrorPlace): readonly [string, string] {
  const quoted = families.flatMap((family) => {
    const end = `/${JSON.stringify(family)}`;
    return label.startsWith('"') && label.endsWith(end) ? [[label.slice(0, -end.length), family] as const] : [];
  });
  const plain = families.flatMap((family) =>
    label.endsWith(`/${family}`) ? [[label.slice(0, -family.length - 1), family] as const] : [],
  );
  const found = quoted.length > 0 ? quoted : plain;
  if (found.length === 1) return found[0]!;
  return fail('SCHEMA_INVALID', place, `stratum ${shown(label)} does not tell its panel and family`, GIVE_MATRIX);
}

/** Units in one point in which all totals are whole: k attempts at values of up to nine decimals. */
function unitOf(totals: readonly number[]): number | undefined {
  const whole = (unit: number) =>
    totals.every(
      (total) => Math.abs(total * unit - Math.round(total * unit)) < 1e-6 && Math.abs(total * unit) < 2 ** 43,
    );
  for (let decimals = 1; decimals <= 1e9; decimals *= 10)
    for (let attempts = 1; attempts <= 20; attempts += 1) if (whole(decimals * attempts)) return decimals * attempts;
  return undefined;
}

/**
 * Makes a matrix of one column a stratum from what a leaderboard states (analyses 6): its cells are means in one common unit, found again as the
 * integers that they were formed from, so that every weighting gives the digits that the matrix itself gives. Errors: SCHEMA_INVALID where
 * strata are not one a panel and family, where a model lacks a mean, or where no unit makes them whole.
 */
export function meansMatrix({ families, strata, models }: StatedLeaderboard, place: ErrorPlace): ScoreMatrix {
  const parts = strata.map(({ label }) => partsOf(label, families, place));
  const labels = joinedNames(parts, '/');
  const means = models.flatMap(({ id, means }) =>
    strata.map(({ label }) => {
      const mean = Object.hasOwn(means, label) ? means[label] : undefined;
      if (mean !== undefined && Number.isFinite(mean)) return mean;
      return fail('SCHEMA_INVALID', place, `model ${shown(id)} has no mean of stratum ${shown(label)}`, GIVE_MATRIX);
    }),
  );
  const totals = means.map((mean, at) => mean * strata[at % strata.length]!.tasks);
  const unit = unitOf(totals);
  if (unit === undefined) fail('SCHEMA_INVALID', place, 'the means of strata follow from no whole cells', GIVE_MATRIX);
  const common = lcm(strata.map(({ tasks }) => BigInt(tasks)));
  const values = totals.map((total, at) =>
    Number((BigInt(Math.round(total * unit)) * common) / BigInt(strata[at % strata.length]!.tasks)),
  );
  const scale = unit * Number(common);
  if (!Number.isSafeInteger(scale) || !values.every(Number.isSafeInteger))
    fail('SCHEMA_INVALID', place, 'the means of strata have no common unit below 2^53', GIVE_MATRIX);
  return {
    models: models.map(({ id }) => id),
    tasks: labels,
    panels: parts.map(([panel]) => panel),
    families: parts.map(([, family]) => family),
    clusters: labels,
    values: Float64Array.from(values),
    scale,
  };
}
