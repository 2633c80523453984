import { assertName } from '../io/held/name-bound.js';
import { fail, shown } from '../util/error.js';
import { type CellTable, cellName, nameOf } from './cell-table.js';

/** What a table says of a task. */
export interface TaskFacts {
  readonly name: string;
  readonly panel: string;
  readonly family: string;
  readonly cluster: string;
}

/** The panel and the family of tasks of which nothing else is said. */
const ALL = 'all';

/** Facts that a table may have a column for. */
const FACTS = ['panel', 'family', 'cluster'] as const;
type Fact = (typeof FACTS)[number];

/** The tasks of a table, entered row by row. */
interface TaskList {
  /** By first appearance. */
  readonly facts: readonly TaskFacts[];
  /** Their codes. */
  readonly found: readonly number[];
  /** The number of the task of a row. Errors: SCHEMA_INVALID for a task without a name or described in two ways; CLUSTER_MISSING. */
  at(row: number): number;
}

/** Makes the list of the tasks of a table, each described by its first row and the same way in every other. */
export function taskList(cells: CellTable): TaskList {
  const { task, labels = {} } = cells;
  const facts: TaskFacts[] = [];
  const found: number[] = [];
  const number = new Int32Array(task.values.length).fill(-1);
  const columns = FACTS.flatMap((what) => {
    const column = cells[what];
    /** Code of the fact in the first row of each task; -1 where a label stands for it. */
    return column === undefined ? [] : [{ what, codes: column.codes, first: [] as number[] }];
  });
  const labelOf = (what: Fact, name: string) =>
    what === 'family' ? labels.families?.get(name) : what === 'cluster' ? labels.clusters?.get(name) : undefined;
  const add = (row: number, code: number): number => {
    const name = task.values[code]!;
    const said = (what: Fact, otherwise: string) =>
      labelOf(what, name) ?? (cells[what] === undefined ? otherwise : nameOf(cells[what], row));
    const described = { name, panel: said('panel', ALL), family: said('family', ALL), cluster: said('cluster', name) };
    assertDescribed(cells, row, described);
    for (const { what, codes, first } of columns) first.push(labelOf(what, name) === undefined ? codes[row]! : -1);
    number[code] = facts.length;
    found.push(code);
    return facts.push(described) - 1;
  };
  return {
    facts,
    found,
    at(row) {
      const code = task.codes[row]!;
      const known = number[code]!;
      if (known < 0) return add(row, code);
      for (let i = 0; i < columns.length; i += 1) {
        const { what, codes, first } = columns[i]!;
        if (first[known]! >= 0 && first[known] !== codes[row]) failChanged(cells, row, what, first[known]!);
      }
      return known;
    },
  };
}

function assertDescribed(cells: CellTable, row: number, described: TaskFacts): void {
  const { name, family, cluster } = described;
  assertName('a task', name, cells.place(row));
  for (const what of FACTS) assertName(`a ${what}`, described[what], cells.place(row));
  if (!nameOf(cells.model, row) || !name)
    fail('SCHEMA_INVALID', cells.place(row), `${cellName(cells, row)} has no name`, 'Name every model and task.');
  if (!cluster)
    fail(
      'CLUSTER_MISSING',
      cells.place(row),
      `${cellName(cells, row)} has no cluster`,
      'Give every task a cluster, or leave the column out: each task is then a cluster of its own.',
    );
  if (!family)
    fail(
      'SCHEMA_INVALID',
      cells.place(row),
      `${cellName(cells, row)} has no family`,
      'Give every task a family, or leave the column out: all tasks are then one family.',
    );
}

function failChanged(cells: CellTable, row: number, what: Fact, before: number): never {
  const column = cells[what]!;
  fail(
    'SCHEMA_INVALID',
    cells.place(row),
    `${cellName(cells, row)} has ${what} ${shown(nameOf(column, row))}, earlier rows of the task ${shown(column.values[before])}`,
    'Describe a task the same way in every row.',
  );
}
