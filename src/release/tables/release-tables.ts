import { ANALYSIS_TABLES } from '../../analyses/list.js';
import { latexTable, markdownTable, type TextTable, tableCsv } from '../../io/text-table.js';
import type { Missing } from '../figures.js';
import { RELEASE_FILES, type ReleaseFile, textFile } from '../release-files.js';
import { releasedOutcomes } from '../released-outcomes.js';
import type { ReleaseView } from '../view.js';
import { examplesTable } from './case-table.js';
import {
  decisionTable,
  familyTable,
  leaderboardTable,
  mapTable,
  protocolTable,
  routeTable,
} from './leaderboard-tables.js';
import { macrosText, releaseMacros } from './macros.js';
import { transferProtocolTable } from './transfer-tables.js';

interface TableEntry {
  /** Number in the paper. */
  readonly number: number;
  readonly name: string;
  /** What it needs beside a leaderboard. */
  readonly needs: string;
  readonly make: (view: ReleaseView) => TextTable | null;
}

const LEADERBOARD_TABLES: readonly TableEntry[] = [
  { number: 1, name: 'decisions', needs: 'task files that say how they are scored', make: decisionTable },
  { number: 2, name: 'maps', needs: 'the task sets and the core plan', make: mapTable },
  { number: 3, name: 'leaderboard', needs: '', make: leaderboardTable },
  { number: 7, name: 'examples', needs: 'the raw answers', make: examplesTable },
  {
    number: 9,
    name: 'routes',
    needs: 'the routes of a ledger or a route manifest',
    make: routeTable,
  },
  { number: 10, name: 'families', needs: '', make: familyTable },
  { number: 11, name: 'protocol', needs: '', make: protocolTable },
  {
    number: 12,
    name: 'transfer-protocol',
    needs: 'a frozen transfer plan',
    make: transferProtocolTable,
  },
];

/** The tables of a release in the order of the paper. */
const TABLES: readonly TableEntry[] = [
  ...LEADERBOARD_TABLES,
  ...ANALYSIS_TABLES.map((table): TableEntry => ({ ...table, make: (view) => table.make(releasedOutcomes(view)) })),
].sort((a, b) => a.number - b.number);

export interface NumberedTable {
  readonly number: number;
  readonly table: TextTable;
}

export interface ReleaseTables {
  readonly tables: readonly NumberedTable[];
  readonly files: readonly ReleaseFile[];
  readonly missing: readonly Missing[];
}

/**
 * Makes every table of the paper that the release has the inputs for, as `tables/NAME.{tex,csv,md}`, and `tables/macros.tex`. What cannot
 * be made is named with the input it wants. Errors: SCHEMA_INVALID.
 */
export function releaseTables(view: ReleaseView): ReleaseTables {
  const tables: NumberedTable[] = [];
  const missing: Missing[] = [];
  for (const { number, name, needs, make } of TABLES) {
    const table = make(view);
    if (table === null) missing.push({ name, number, needs });
    else tables.push({ number, table });
  }
  const macros = releaseMacros(view);
  return {
    tables,
    missing,
    files: [
      ...tables.flatMap(({ table }) => {
        const at = `${RELEASE_FILES.tables}${table.name}`;
        return [
          textFile(`${at}.tex`, latexTable(table)),
          textFile(`${at}.csv`, tableCsv(table)),
          textFile(`${at}.md`, markdownTable(table)),
        ];
      }),
      textFile(`${RELEASE_FILES.tables}macros.tex`, macrosText(macros)),
    ],
  };
}
