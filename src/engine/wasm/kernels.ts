// Written by assembly/bindings.js from the exported functions of assembly/: do not edit, run `npm run build:wasm`.

type Numbers<Labels extends string> = { readonly [Label in Labels]: number };
type Flags<Labels extends string> = { readonly [Label in Labels]: boolean };

/** The kernels of an instance as WebAssembly exports them: arguments by their place. */
export type RawKernels = Readonly<
  Record<
    'readAnswers' | 'gatherCounts' | 'jointCounts' | 'markEmpty' | 'ratios' | 'rowValues' | 'sumRows' |
    'stratifiedCounts' | 'stratumSums' | 'wideRatios' | 'countPairs' | 'countRows' | 'countWidePairs' |
    'countWideRows' | 'gram' | 'gramScratch' | 'taskSimilarities' | 'heapBase' | 'pickSums' | 'weighSums' |
    'portfolioMaps' | 'narrowSums' | 'tallyMaxima' | 'listedTotals' | 'findNames' | 'insertName' | 'multinomialRows' |
    'multinomialStarts' | 'packSigns' | 'pcgWords' | 'philoxWords' | 'rankByPairs' | 'rankBySorting' | 'coarseLanes' |
    'listReaching' | 'tallyPairFamily' | 'tallyRowFamilies' | 'inverseRootSquares' | 'inverseWideRootSquares' |
    'lineFeeds' | 'scanAnswers' | 'orderStatistics' | 'addFlips' | 'enumeratedBits' | 'joinPlanes' | 'philoxBits' |
    'signTables' | 'countSmallPairs' | 'countSmallRows' | 'plainSums' | 'splitWords' | 'tallySmallMaxima' |
    'blockedSum' | 'raiseMaxima' | 'attainableSums' | 'boundMaxima' | 'centreRows' | 'centreSums' | 'closeBlock' |
    'pairSquares' | 'doubleSums' | 'drawnUnits' | 'studentiseRows' | 'subsetTotals' | 'tallyTinyPlaces' |
    'tallyTinyRest' | 'tinyColumns' | 'tinyPlaces' | 'listTinyReaching' | 'tallyWide',
    (...values: (number | boolean)[]) => number
  >
>;

/** The same kernels, called with labelled arguments. Memory layouts are drawn above the functions in assembly/. */
export function labelledKernels(raw: RawKernels) {
  return {
    // assembly/answers.ts
    readAnswers: (a: Numbers<'text' | 'offsets' | 'count' | 'tasks' | 'names' | 'codes'> & Flags<'marks'>): void =>
      void raw.readAnswers(a.text, a.offsets, a.count, a.tasks, a.names, a.codes, a.marks),

    // assembly/bootstrap.ts
    gatherCounts: (a: Numbers<'counts' | 'stride' | 'draws' | 'parts' | 'clusters' | 'clusterOf' | 'given'>): void =>
      void raw.gatherCounts(a.counts, a.stride, a.draws, a.parts, a.clusters, a.clusterOf, a.given),
    jointCounts: (a: Numbers<'counts' | 'stride' | 'draws' | 'parts' | 'clusters' | 'clusterOf' | 'starts' | 'strata' |
      'firstLow' | 'firstHigh' | 'stream' | 'seedLow' | 'seedHigh' | 'attempts' | 'scratch'>): number =>
      raw.jointCounts(a.counts, a.stride, a.draws, a.parts, a.clusters, a.clusterOf, a.starts, a.strata, a.firstLow,
        a.firstHigh, a.stream, a.seedLow, a.seedHigh, a.attempts, a.scratch),
    markEmpty: (a: Numbers<'counts' | 'stride' | 'draws' | 'starts' | 'strata' | 'marks'>): void =>
      void raw.markEmpty(a.counts, a.stride, a.draws, a.starts, a.strata, a.marks),
    ratios: (a: Numbers<'sums' | 'draws' | 'strata' | 'lanes' | 'rows' | 'scale' | 'values' | 'valueStride'>): void =>
      void raw.ratios(a.sums, a.draws, a.strata, a.lanes, a.rows, a.scale, a.values, a.valueStride),
    rowValues: (a: Numbers<'sums' | 'n' | 'tasks' | 'scale' | 'values'>): void =>
      void raw.rowValues(a.sums, a.n, a.tasks, a.scale, a.values),
    sumRows: (a: Numbers<'sums' | 'draws' | 'lanes' | 'rows' | 'out' | 'rowStride'>): void =>
      void raw.sumRows(a.sums, a.draws, a.lanes, a.rows, a.out, a.rowStride),
    stratifiedCounts: (a: Numbers<'counts' | 'stride' | 'draws' | 'parts' | 'starts' | 'strata' | 'firstLow' |
      'firstHigh' | 'stream' | 'seedLow' | 'seedHigh' | 'scratch'>): number =>
      raw.stratifiedCounts(a.counts, a.stride, a.draws, a.parts, a.starts, a.strata, a.firstLow, a.firstHigh, a.stream,
        a.seedLow, a.seedHigh, a.scratch),
    stratumSums: (a: Numbers<'counts' | 'stride' | 'draws' | 'starts' | 'strata' | 'table' | 'lanes' | 'sums'>): void =>
      void raw.stratumSums(a.counts, a.stride, a.draws, a.starts, a.strata, a.table, a.lanes, a.sums),
    wideRatios: (a: Numbers<'sums' | 'draws' | 'strata' | 'lanes' | 'rows' | 'scale' | 'values' | 'valueStride' |
      'width' | 'planes' | 'bits'>): void =>
      void raw.wideRatios(a.sums, a.draws, a.strata, a.lanes, a.rows, a.scale, a.values, a.valueStride, a.width,
        a.planes, a.bits),

    // assembly/exceedances.ts
    countPairs: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'rows' | 'lanes' | 'observed' | 'counts'>): void =>
      void raw.countPairs(a.sums, a.sumStride, a.draws, a.rows, a.lanes, a.observed, a.counts),
    countRows: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'lanes' | 'observed' | 'counts'>): void =>
      void raw.countRows(a.sums, a.sumStride, a.draws, a.lanes, a.observed, a.counts),
    countWidePairs: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'rows' | 'lanes' | 'observed' | 'counts'>): void =>
      void raw.countWidePairs(a.sums, a.sumStride, a.draws, a.rows, a.lanes, a.observed, a.counts),
    countWideRows: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'lanes' | 'observed' | 'counts'>): void =>
      void raw.countWideRows(a.sums, a.sumStride, a.draws, a.lanes, a.observed, a.counts),

    // assembly/gram.ts
    gram: (a: Numbers<'rows' | 'dims' | 'left' | 'leftCount' | 'right' | 'rightCount' | 'out' | 'scratch'>): void =>
      void raw.gram(a.rows, a.dims, a.left, a.leftCount, a.right, a.rightCount, a.out, a.scratch),
    gramScratch: (a: Numbers<'dims' | 'choices'>): number =>
      raw.gramScratch(a.dims, a.choices),
    taskSimilarities: (a: Numbers<'rows' | 'dims' | 'members' | 'tasks' | 'choices' | 'singles' | 'pairs' |
      'scratch'>): void =>
      void raw.taskSimilarities(a.rows, a.dims, a.members, a.tasks, a.choices, a.singles, a.pairs, a.scratch),

    // assembly/heap.ts
    heapBase: (): number => raw.heapBase(),

    // assembly/kept.ts
    pickSums: (a: Numbers<'kept' | 'from' | 'draws' | 'strata' | 'lanes' | 'sources' | 'factors' | 'sums'>): void =>
      void raw.pickSums(a.kept, a.from, a.draws, a.strata, a.lanes, a.sources, a.factors, a.sums),
    weighSums: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'strata' | 'width' | 'rows' | 'sources' | 'factors' |
      'shift' | 'inverse' | 'rest' | 'restStride' | 'out' | 'outStride'>): void =>
      void raw.weighSums(a.sums, a.sumStride, a.draws, a.strata, a.width, a.rows, a.sources, a.factors, a.shift,
        a.inverse, a.rest, a.restStride, a.out, a.outStride),

    // assembly/portfolio.ts
    portfolioMaps: (a: Numbers<'tasks' | 'n' | 'k' | 'singles' | 'pairs' | 'weights' | 'allowed' | 'conflicts' |
      'leastFeasible' | 'leastRange' | 'scores' | 'summary' | 'scratch'>): void =>
      void raw.portfolioMaps(a.tasks, a.n, a.k, a.singles, a.pairs, a.weights, a.allowed, a.conflicts, a.leastFeasible,
        a.leastRange, a.scores, a.summary, a.scratch),

    // assembly/maxt.ts
    narrowSums: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'lanes'>): void =>
      void raw.narrowSums(a.sums, a.sumStride, a.draws, a.lanes),
    tallyMaxima: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'rows' | 'lanes' | 'inverse' | 'coarse' | 'levels' |
      'levelCount' | 'counts' | 'best' | 'bounds' | 'observed' | 'pairs'> & Flags<'narrow'>): void =>
      void raw.tallyMaxima(a.sums, a.sumStride, a.draws, a.rows, a.lanes, a.inverse, a.coarse, a.levels, a.levelCount,
        a.counts, a.best, a.bounds, a.observed, a.pairs, a.narrow),

    // assembly/listed.ts
    listedTotals: (a: Numbers<'out' | 'columns' | 'width' | 'lists' | 'length' | 'draws'>): void =>
      void raw.listedTotals(a.out, a.columns, a.width, a.lists, a.length, a.draws),

    // assembly/names.ts
    findNames: (a: Numbers<'index' | 'mask' | 'text' | 'offsets' | 'count' | 'numbers'>): void =>
      void raw.findNames(a.index, a.mask, a.text, a.offsets, a.count, a.numbers),
    insertName: (a: Numbers<'index' | 'mask' | 'number' | 'start' | 'end'>): void =>
      void raw.insertName(a.index, a.mask, a.number, a.start, a.end),

    // assembly/numpy.ts
    multinomialRows: (a: Numbers<'state' | 'rows' | 'n' | 'cells' | 'first' | 'width' | 'starts' | 'out'>): number =>
      raw.multinomialRows(a.state, a.rows, a.n, a.cells, a.first, a.width, a.starts, a.out),
    multinomialStarts: (a: Numbers<'cells' | 'first' | 'count' | 'width' | 'starts'>): void =>
      void raw.multinomialStarts(a.cells, a.first, a.count, a.width, a.starts),
    packSigns: (a: Numbers<'bytes' | 'clusters' | 'draws' | 'bits' | 'bitStride'>): void =>
      void raw.packSigns(a.bytes, a.clusters, a.draws, a.bits, a.bitStride),
    pcgWords: (a: Numbers<'state' | 'out' | 'count'>): void =>
      void raw.pcgWords(a.state, a.out, a.count),

    // assembly/philox.ts
    philoxWords: (a: Numbers<'out' | 'count' | 'first' | 'drawLow' | 'drawHigh' | 'stream' | 'seedLow' | 'seedHigh' |
      'scale'>): void =>
      void raw.philoxWords(a.out, a.count, a.first, a.drawLow, a.drawHigh, a.stream, a.seedLow, a.seedHigh, a.scale),

    // assembly/rank.ts
    rankByPairs: (a: Numbers<'values' | 'stride' | 'draws' | 'ranked' | 'counts' | 'shifts' | 'scratch'>): void =>
      void raw.rankByPairs(a.values, a.stride, a.draws, a.ranked, a.counts, a.shifts, a.scratch),
    rankBySorting: (a: Numbers<'values' | 'stride' | 'draws' | 'ranked' | 'counts' | 'shifts' | 'scratch'>): void =>
      void raw.rankBySorting(a.values, a.stride, a.draws, a.ranked, a.counts, a.shifts, a.scratch),

    // assembly/reaching.ts
    coarseLanes: (a: Numbers<'exact' | 'exactStride' | 'draws' | 'lanes' | 'kind' | 'coarse' | 'coarseStride'>): void =>
      void raw.coarseLanes(a.exact, a.exactStride, a.draws, a.lanes, a.kind, a.coarse, a.coarseStride),
    listReaching: (a: Numbers<'coarse' | 'coarseStride' | 'draws' | 'rows' | 'lanes' | 'limits' | 'exact' |
      'exactStride' | 'kind' | 'inverse' | 'least' | 'heads' | 'pairHeads' | 'nodes' | 'most'>): number =>
      raw.listReaching(a.coarse, a.coarseStride, a.draws, a.rows, a.lanes, a.limits, a.exact, a.exactStride, a.kind,
        a.inverse, a.least, a.heads, a.pairHeads, a.nodes, a.most),
    tallyPairFamily: (a: Numbers<'pairHeads' | 'nodes' | 'draws' | 'rows' | 'places' | 'levels' | 'classes' | 'counts' |
      'front' | 'fronts'> & Flags<'ordered'>): number =>
      raw.tallyPairFamily(a.pairHeads, a.nodes, a.draws, a.rows, a.places, a.levels, a.classes, a.ordered, a.counts,
        a.front, a.fronts),
    tallyRowFamilies: (a: Numbers<'heads' | 'nodes' | 'draws' | 'rows' | 'places' | 'levels' | 'levelStride' |
      'classes' | 'counts' | 'countStride' | 'front'>): void =>
      void raw.tallyRowFamilies(a.heads, a.nodes, a.draws, a.rows, a.places, a.levels, a.levelStride, a.classes,
        a.counts, a.countStride, a.front),

    // assembly/reciprocals.ts
    inverseRootSquares: (a: Numbers<'totals' | 'clusters' | 'ranked' | 'lanes' | 'inverse'>): void =>
      void raw.inverseRootSquares(a.totals, a.clusters, a.ranked, a.lanes, a.inverse),
    inverseWideRootSquares: (a: Numbers<'totals' | 'clusters' | 'ranked' | 'lanes' | 'inverse'>): void =>
      void raw.inverseWideRootSquares(a.totals, a.clusters, a.ranked, a.lanes, a.inverse),

    // assembly/scan.ts
    lineFeeds: (a: Numbers<'at' | 'end'>): number =>
      raw.lineFeeds(a.at, a.end),
    scanAnswers: (a: Numbers<'at' | 'end' | 'rows' | 'most' | 'tasks' | 'taskMask' | 'models' | 'modelMask' |
      'names'> & Flags<'marks'>): number =>
      raw.scanAnswers(a.at, a.end, a.rows, a.most, a.tasks, a.taskMask, a.models, a.modelMask, a.names, a.marks),

    // assembly/select.ts
    orderStatistics: (a: Numbers<'left' | 'right' | 'n' | 'mean' | 'lowInner' | 'lowOuter' | 'highInner' | 'highOuter' |
      'ranks' | 'count' | 'lowCount' | 'scratch' | 'out'>): void =>
      void raw.orderStatistics(a.left, a.right, a.n, a.mean, a.lowInner, a.lowOuter, a.highInner, a.highOuter, a.ranks,
        a.count, a.lowCount, a.scratch, a.out),

    // assembly/signflip.ts
    addFlips: (a: Numbers<'bits' | 'bitStride' | 'draws' | 'groups' | 'table' | 'lanes' | 'sums' |
      'sumStride'> & Flags<'fresh'>): void =>
      void raw.addFlips(a.bits, a.bitStride, a.draws, a.groups, a.table, a.lanes, a.sums, a.sumStride, a.fresh),
    enumeratedBits: (a: Numbers<'bits' | 'bitStride' | 'draws' | 'first'>): void =>
      void raw.enumeratedBits(a.bits, a.bitStride, a.draws, a.first),
    joinPlanes: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'width' | 'planes' | 'bits' | 'out' |
      'outStride'>): void =>
      void raw.joinPlanes(a.sums, a.sumStride, a.draws, a.width, a.planes, a.bits, a.out, a.outStride),
    philoxBits: (a: Numbers<'bits' | 'bitStride' | 'draws' | 'words' | 'firstLow' | 'firstHigh' | 'stream' | 'seedLow' |
      'seedHigh'>): void =>
      void raw.philoxBits(a.bits, a.bitStride, a.draws, a.words, a.firstLow, a.firstHigh, a.stream, a.seedLow,
        a.seedHigh),
    signTables: (a: Numbers<'totals' | 'rowBytes' | 'clusters' | 'lanes' | 'table'>): void =>
      void raw.signTables(a.totals, a.rowBytes, a.clusters, a.lanes, a.table),

    // assembly/small.ts
    countSmallPairs: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'rows' | 'lanes' | 'observed' | 'pairs'>): void =>
      void raw.countSmallPairs(a.sums, a.sumStride, a.draws, a.rows, a.lanes, a.observed, a.pairs),
    countSmallRows: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'lanes' | 'observed' | 'counts'>): void =>
      void raw.countSmallRows(a.sums, a.sumStride, a.draws, a.lanes, a.observed, a.counts),
    plainSums: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'lanes' | 'shift' | 'unit' | 'out' | 'outStride'>): void =>
      void raw.plainSums(a.sums, a.sumStride, a.draws, a.lanes, a.shift, a.unit, a.out, a.outStride),
    splitWords: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'lanes'>): void =>
      void raw.splitWords(a.sums, a.sumStride, a.draws, a.lanes),
    tallySmallMaxima: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'rows' | 'ranked' | 'lanes' | 'inverse' | 'shares' |
      'unit' | 'statistic' | 'levels' | 'steps' | 'counts' | 'best' | 'bounds' | 'observed' | 'pairs'>): void =>
      void raw.tallySmallMaxima(a.sums, a.sumStride, a.draws, a.rows, a.ranked, a.lanes, a.inverse, a.shares, a.unit,
        a.statistic, a.levels, a.steps, a.counts, a.best, a.bounds, a.observed, a.pairs),

    // assembly/summary.ts
    blockedSum: (a: Numbers<'values' | 'n' | 'block' | 'centre'> & Flags<'squared'>): number =>
      raw.blockedSum(a.values, a.n, a.block, a.centre, a.squared),
    raiseMaxima: (a: Numbers<'values' | 'n' | 'point' | 'error' | 'maxima'>): void =>
      void raw.raiseMaxima(a.values, a.n, a.point, a.error, a.maxima),

    // assembly/stepdown.ts
    attainableSums: (a: Numbers<'totals' | 'clusters' | 'ranked' | 'lanes' | 'sums'> & Flags<'whole'>): void =>
      void raw.attainableSums(a.totals, a.clusters, a.ranked, a.lanes, a.whole, a.sums),
    boundMaxima: (a: Numbers<'coarse' | 'coarseStride' | 'draws' | 'lanes' | 'from' | 'to' | 'inverse' | 'slack' |
      'rowBounds' | 'boundStride' | 'most'> & Flags<'later'>): void =>
      void raw.boundMaxima(a.coarse, a.coarseStride, a.draws, a.lanes, a.from, a.to, a.inverse, a.slack, a.rowBounds,
        a.boundStride, a.most, a.later),
    centreRows: (a: Numbers<'values' | 'stride' | 'draws' | 'rows' | 'centres' | 'exact' | 'exactStride'>): void =>
      void raw.centreRows(a.values, a.stride, a.draws, a.rows, a.centres, a.exact, a.exactStride),
    centreSums: (a: Numbers<'sums' | 'stride' | 'draws' | 'rows' | 'centres' | 'exact' | 'exactStride' | 'tasks' |
      'scale'>): void =>
      void raw.centreSums(a.sums, a.stride, a.draws, a.rows, a.centres, a.exact, a.exactStride, a.tasks, a.scale),
    closeBlock: (a: Numbers<'block' | 'totals' | 'count'>): void =>
      void raw.closeBlock(a.block, a.totals, a.count),
    pairSquares: (a: Numbers<'exact' | 'exactStride' | 'draws' | 'lanes' | 'from' | 'to' | 'block'>): void =>
      void raw.pairSquares(a.exact, a.exactStride, a.draws, a.lanes, a.from, a.to, a.block),

    // assembly/studentised.ts
    doubleSums: (a: Numbers<'digits' | 'draws' | 'strata' | 'lanes' | 'rows' | 'planes' | 'bits' | 'scale' | 'sums' |
      'sizes'>): void =>
      void raw.doubleSums(a.digits, a.draws, a.strata, a.lanes, a.rows, a.planes, a.bits, a.scale, a.sums, a.sizes),
    drawnUnits: (a: Numbers<'counts' | 'stride' | 'draws' | 'slots' | 'slotCount' | 'parts' | 'partCount' | 'starts' |
      'members' | 'unitCount' | 'strata' | 'width' | 'sizes' | 'scratch' | 'entries' | 'ends'>): void =>
      void raw.drawnUnits(a.counts, a.stride, a.draws, a.slots, a.slotCount, a.parts, a.partCount, a.starts, a.members,
        a.unitCount, a.strata, a.width, a.sizes, a.scratch, a.entries, a.ends),
    studentiseRows: (a: Numbers<'table' | 'entries' | 'slotCount' | 'ends' | 'sums' | 'rowBytes' | 'sizes' | 'parts' |
      'partCount' | 'draws' | 'strata' | 'scale' | 'scores' | 'rows' | 'out' | 'outStride' | 'undefinedDraws' |
      'scratch'>): void =>
      void raw.studentiseRows(a.table, a.entries, a.slotCount, a.ends, a.sums, a.rowBytes, a.sizes, a.parts,
        a.partCount, a.draws, a.strata, a.scale, a.scores, a.rows, a.out, a.outStride, a.undefinedDraws, a.scratch),

    // assembly/subset.ts
    subsetTotals: (a: Numbers<'out' | 'columns' | 'width' | 'members' | 'sizes' | 'takes' | 'strata' | 'words' |
      'places' | 'firstLow' | 'firstHigh' | 'draws' | 'stream' | 'seedLow' | 'seedHigh'>): void =>
      void raw.subsetTotals(a.out, a.columns, a.width, a.members, a.sizes, a.takes, a.strata, a.words, a.places,
        a.firstLow, a.firstHigh, a.draws, a.stream, a.seedLow, a.seedHigh),

    // assembly/tiny.ts
    tallyTinyPlaces: (a: Numbers<'best' | 'draws' | 'steps' | 'columns' | 'ranked' | 'lanes' | 'inverse' | 'unit' |
      'levels' | 'levelCount' | 'counts'>): void =>
      void raw.tallyTinyPlaces(a.best, a.draws, a.steps, a.columns, a.ranked, a.lanes, a.inverse, a.unit, a.levels,
        a.levelCount, a.counts),
    tallyTinyRest: (a: Numbers<'before' | 'best' | 'draws' | 'steps' | 'counts' | 'bits' | 'bitStride' |
      'rest'>): number =>
      raw.tallyTinyRest(a.before, a.best, a.draws, a.steps, a.counts, a.bits, a.bitStride, a.rest),
    tinyColumns: (a: Numbers<'bits' | 'bitStride' | 'draws' | 'halves' | 'rows' | 'tables' | 'signs' |
      'columns'>): void =>
      void raw.tinyColumns(a.bits, a.bitStride, a.draws, a.halves, a.rows, a.tables, a.signs, a.columns),
    tinyPlaces: (a: Numbers<'columns' | 'draws' | 'pairs' | 'classes' | 'classCount' | 'places' | 'best' | 'limits' |
      'pairCounts'>): void =>
      void raw.tinyPlaces(a.columns, a.draws, a.pairs, a.classes, a.classCount, a.places, a.best, a.limits,
        a.pairCounts),

    // assembly/tinyreach.ts
    listTinyReaching: (a: Numbers<'columns' | 'from' | 'draws' | 'rows' | 'pairs' | 'limits' | 'count' | 'lanes' |
      'inverse' | 'unit' | 'least' | 'heads' | 'pairHeads' | 'nodes' | 'most'>): number =>
      raw.listTinyReaching(a.columns, a.from, a.draws, a.rows, a.pairs, a.limits, a.count, a.lanes, a.inverse, a.unit,
        a.least, a.heads, a.pairHeads, a.nodes, a.most),

    // assembly/wide.ts
    tallyWide: (a: Numbers<'sums' | 'sumStride' | 'draws' | 'rows' | 'ranked' | 'lanes' | 'inverse' | 'coarse' |
      'levels' | 'levelCount' | 'counts' | 'bounds' | 'observed' | 'estimates' | 'pairs' | 'room'>): void =>
      void raw.tallyWide(a.sums, a.sumStride, a.draws, a.rows, a.ranked, a.lanes, a.inverse, a.coarse, a.levels,
        a.levelCount, a.counts, a.bounds, a.observed, a.estimates, a.pairs, a.room),
  };
}

/** What a compiled module of assembly/ can do. */
export type Kernels = ReturnType<typeof labelledKernels>;
