import * as Plot from '@observablehq/plot';
import { rowAxis } from '../draw/axis.js';
import { renderFigure, type Theme, themeColours } from '../draw/figure.js';
import { columnsOf } from '../io/arrow.js';
import { type AnalysisReport, percent, three } from './report.js';
import type { SubstitutionEstimate } from './substitution-estimate.js';
import type { SubstitutionCoverage, SubstitutionResult } from './substitutions.js';

/** The check as a table, a figure and a paragraph. */
export function substitutionsReport(
  coverage: SubstitutionCoverage,
  results: readonly SubstitutionResult[],
): AnalysisReport {
  const rows = results.flatMap(({ space, all, novel }) =>
    (
      [
        ['all pairs', all],
        ['novel pairs', novel],
      ] as readonly (readonly [string, SubstitutionEstimate | null])[]
    ).flatMap(([subset, estimate]) =>
      estimate === null ? [] : [{ space, subset, ...estimate, low: estimate.interval[0], high: estimate.interval[1] }],
    ),
  );
  return {
    columns: columnsOf(rows, {
      space: ['text', (row) => row.space],
      subset: ['text', (row) => row.subset],
      pairs: ['int32', (row) => row.pairs],
      sources: ['int32', (row) => row.sources],
      percentile: ['float64', (row) => row.percentile],
      low: ['float64', (row) => row.low],
      high: ['float64', (row) => row.high],
      p: ['float64', (row) => row.p],
    }),
    words: `Of ${coverage.test_events} observed replacements ${coverage.mapped_events} have both ends in the vocabulary, ${coverage.unique_pairs} distinct pairs over ${coverage.sources} sources. ${results.map(({ space, all, novel, vocabulary }) => `In ${space} people's targets stand at the ${three(all.percentile)} percentile of their food group (${three(all.interval[0])} to ${three(all.interval[1])}, Holm p ${all.holm_p.toPrecision(3)})${novel === null ? '' : `, ${three(novel.percentile)} for pairs not seen in training`}, and ${percent(vocabulary.hit_at_10, 1)} are among the ten nearest of the whole vocabulary, where chance gives ${percent(vocabulary.chance.hit_at_10, 2)}.`).join(' ')} ${shownBy(results)}; it is no test of taste, and names were matched exactly.`,
    figure: (theme) => substitutionsFigure(results, theme),
  };
}

const SUBSETS = [
  { name: 'all', label: 'all pairs', mark: 'dot', dy: -9 },
  { name: 'novel', label: 'pairs not seen in training', mark: 'ring', dy: 9 },
] as const;

function substitutionsFigure(results: readonly SubstitutionResult[], theme: Theme): string {
  const axis = rowAxis(results.map(({ space }) => space));
  const series = SUBSETS.map(({ name, ...look }) => ({
    ...look,
    marks: results.flatMap((result, at) => {
      const estimate = result[name];
      if (estimate === null) return [];
      const [low, high] = estimate.interval;
      return [{ at, percentile: estimate.percentile, low, high }];
    }),
  })).filter(({ marks }) => marks.length > 0);
  const least = Math.min(0.4, ...series.flatMap(({ marks }) => marks.map(({ low }) => low)));
  const { teal, gold } = themeColours(theme);
  return renderFigure({
    theme,
    height: 44 + 44 * results.length,
    title: 'Where people’s substitutes stand',
    subtitle: 'Mean percentile among candidates of the same food group; bars: 95% source bootstrap.',
    legend: [
      ...series.map(({ label, mark }) => ({ label, colour: teal, mark })),
      { label: 'chance', colour: gold, mark: 'dash' as const },
    ],
    plot: (c) => ({
      marginLeft: axis.marginLeft,
      marginRight: 64,
      marginTop: 6,
      marginBottom: 38,
      x: { label: 'percentile', domain: [Math.floor(10 * least) / 10, 1], ticks: 6, grid: true },
      y: axis.y,
      marks: [
        Plot.ruleX([0.5], { stroke: c.gold, strokeDasharray: '5,4', strokeWidth: 1.8 }),
        ...series.flatMap(({ marks, mark, dy }) => [
          Plot.ruleY(marks, {
            y: 'at',
            x1: 'low',
            x2: 'high',
            stroke: c.teal,
            strokeWidth: 2.5,
            dy,
          }),
          Plot.dot(marks, {
            x: 'percentile',
            y: 'at',
            r: 4.5,
            stroke: c.teal,
            strokeWidth: 1.8,
            fill: mark === 'dot' ? c.teal : c.background,
            dy,
          }),
          Plot.text(marks, {
            y: 'at',
            frameAnchor: 'right',
            textAnchor: 'start',
            dx: 12,
            dy,
            text: ({ percentile }: { percentile: number }) => three(percentile),
            fill: c.ink,
          }),
        ]),
      ],
    }),
  });
}

/** What the tests over all pairs allow to be said. */
function shownBy(results: readonly SubstitutionResult[]): string {
  const agreeing = results.filter(({ all }) => all.significant && all.percentile > 0.5);
  const names = agreeing.map(({ space }) => space).join(', ');
  if (agreeing.length === 0) return 'It does not show that similarity agrees with what people did';
  const rest = agreeing.length === results.length ? '' : ', and does not show it for the others';
  return `It shows that similarity in ${names} agrees with what people did${rest}`;
}
