import { expect, it } from 'vitest';
import type { AgreementSummary, MapComparison } from '../../src/tasks/maps-compare.js';
import { drawMapAgreement } from '../../src/tasks/maps-figure.js';
import { labelBoxes, labelFaults } from '../support/label-boxes.js';

const summary = { tasks: 3, rank_median: -0.4, same_optimum_rate: 1 } as AgreementSummary;

it.each([
  ['light', 'screen'],
  ['dark', 'column'],
] as const)('agreement of maps stays readable, %s, %s', (theme, size) => {
  const families = ['substitution', 'a family whose name is longer than the space beside its plot'];
  const svg = drawMapAgreement(
    {
      summary,
      byFamily: new Map(families.map((family) => [family, summary])),
      tasks: families.flatMap((family) => [-0.97, 0.2, 1].map((rank) => ({ family, rank, sameOptima: rank > 0 }))),
    } as unknown as MapComparison,
    { names: ['the released maps', `maps-of-another-checkpoint-${'x'.repeat(200)}`], theme, size },
  );
  expect(labelFaults(svg)).toEqual([]);
  expect(labelBoxes(svg).map(({ text }) => text)).toContain('−1.0');
});
