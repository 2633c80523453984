import type { ModelResult, PairResult } from './result.js';
import { ends, type ResultColumn, tenDigits } from './result-column.js';

/** What version 2 says of a model beside: shared ranks, rank sets, letters (decisions 1). */
export function decisionColumns(): ResultColumn<ModelResult>[] {
  const kind = 'int32' as const;
  const bool = 'bool' as const;
  return [
    { json: ['rank_tied'], arrow: 'rank_tied', csv: 'rank_tied', kind: bool, value: (row) => row.rankTied },
    ...ends<ModelResult>(
      (row) => row.rankSet,
      [
        { arrow: 'rank_set_low', csv: 'rank_set_low', kind },
        { arrow: 'rank_set_high', csv: 'rank_set_high', kind },
      ],
      ['rank_set_simultaneous'],
    ),
    ...ends<ModelResult>(
      (row) => row.rankSetMarginal,
      [
        { arrow: 'rank_set_marginal_low', kind },
        { arrow: 'rank_set_marginal_high', kind },
      ],
      ['rank_set_marginal'],
    ),
    ...ends<ModelResult>(
      (row) => row.scoreBounds,
      [
        { arrow: 'score_low', kind: 'float64' as const },
        { arrow: 'score_high', kind: 'float64' as const },
      ],
      ['score_bounds'],
    ),
    { json: ['letters'], arrow: 'letters', csv: 'letters', kind: 'text', value: (row) => row.letters },
    { json: ['interval_unbounded'], arrow: 'interval_unbounded', kind: bool, value: (row) => row.unbounded },
  ];
}

/** The part of a pair's record that is null as a whole where no margin was asked for. */
export const EQUAL_PART = 'equal_within';

/** What version 2 says of a pair beside: what the design can show of it, and what it showed (decisions 2, 3). */
export function verdictColumns(): ResultColumn<PairResult>[] {
  const same = (name: string) => ({ json: [name], arrow: name });
  const number = 'float64' as const;
  return [
    { ...same('max_t_step_p'), kind: number, value: (row) => row.maxTStepP },
    { ...same('significant'), csv: 'significant', kind: 'bool', value: (row) => row.significant },
    { ...same('decision'), csv: 'decision', kind: 'text', value: ({ verdict }) => verdict?.decision ?? null },
    { ...same('floor'), csv: 'floor', form: tenDigits, kind: number, value: ({ verdict }) => verdict?.floor ?? null },
    {
      ...same('differing_clusters'),
      csv: 'differing_clusters',
      kind: 'int32',
      value: ({ verdict }) => verdict?.differingClusters ?? null,
    },
    { ...same('untestable'), kind: 'text', value: ({ verdict }) => verdict?.untestable ?? null },
    { ...same('clusters_needed'), kind: number, value: ({ verdict }) => verdict?.clustersNeeded ?? null },
    { ...same('decision_could_turn'), kind: 'bool', value: ({ verdict }) => verdict?.couldTurn ?? null },
    { json: [EQUAL_PART, 'p'], arrow: 'equal_p', kind: number, value: (row) => row.equalWithin?.p ?? null },
    {
      json: [EQUAL_PART, 'holm_p'],
      arrow: 'equal_holm_p',
      kind: number,
      value: (row) => row.equalWithin?.holm ?? null,
    },
    {
      json: [EQUAL_PART, 'equal'],
      arrow: 'equal',
      csv: 'equal_within',
      kind: 'bool',
      value: (row) => row.equalWithin?.equal ?? null,
    },
  ];
}
