import { shown } from '../../util/error.js';
import { assertColumns } from '../held/name-bound.js';
import { type FlatTable, flatInt, flatItems, flatLong, flatTable, flatTables, flatText } from './flatbuffer.js';

/** Types of Arrow's schema that are told apart, by their number there. */
export const ARROW = {
  null: 1,
  int: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  decimal: 7,
  date: 8,
  time: 9,
  timestamp: 10,
  interval: 11,
  list: 12,
  struct: 13,
  union: 14,
  fixedBinary: 15,
  fixedList: 16,
  map: 17,
  duration: 18,
  largeBinary: 19,
  largeUtf8: 20,
  largeList: 21,
  binaryView: 23,
  utf8View: 24,
} as const;

const KNOWN = new Set<number>(Object.values(ARROW));

/** Types that Arrow has and that are not read: what they are called, and what makes a column of a type that is. */
const UNREAD: ReadonlyMap<number, readonly [what: string, hint: string]> = new Map([
  [22, ['run-end encoded', 'Write it plain: in pyarrow `pyarrow.compute.run_end_decode(COLUMN)`.']],
  [25, ['a list view', 'Write it as a list: in pyarrow `COLUMN.cast(pyarrow.list_(TYPE))`.']],
  [26, ['a large list view', 'Write it as a list: in pyarrow `COLUMN.cast(pyarrow.large_list(TYPE))`.']],
]);

/** A column of a whole file has a type that is not read. */
export class UnreadType extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** A column, or a part of one, as a schema describes it. */
export interface ArrowField {
  readonly name: string;
  readonly nullable: boolean;
  readonly type: number;
  /** Bits of one value where all have the same; 0 otherwise. */
  readonly bits: number;
  readonly signed: boolean;
  /** Unit, precision, mode, zone: whatever else the type says. */
  readonly details: readonly (number | string | null)[];
  readonly children: readonly ArrowField[];
  /** How values are numbered, where a dictionary holds them. */
  readonly dictionary?: { readonly id: number; readonly bits: number; readonly signed: boolean };
  readonly metadata: readonly (readonly [string | null, string | null])[];
}

export interface ArrowSchema {
  readonly fields: readonly ArrowField[];
  readonly metadata: ArrowField['metadata'];
}

/** Deepest nesting of fields that is read. */
const DEPTH = 64;

/** A field takes at least so many bytes; more fields than fit mean that some are named many times over. */
const FIELD_BYTES = 8;

function metadataOf(table: FlatTable, place: number): ArrowField['metadata'] {
  return flatTables(table, place).map((pair) => [flatText(pair, 0), flatText(pair, 1)] as const);
}

/** Checks a list of keys and values that the library reads as well. */
export function assertMetadata(table: FlatTable, place: number): void {
  metadataOf(table, place);
}

type TypeFacts = Pick<ArrowField, 'bits' | 'signed' | 'details'>;

const fixed = (bits: number, ...details: (number | string | null)[]): TypeFacts => ({
  bits,
  signed: false,
  details,
});

function integer(table: FlatTable): TypeFacts {
  const bits = flatInt(table, 0, 'Int32');
  if (![8, 16, 32, 64].includes(bits)) throw new Error(`integers of ${bits} bits`);
  return { bits, signed: flatInt(table, 1, 'Uint8') !== 0, details: [] };
}

/** One of the widths that the unit of a type stands for. */
function unitOf(table: FlatTable, absent: number, widths: readonly number[]): TypeFacts {
  const unit = flatInt(table, 0, 'Int16', absent);
  const bits = widths[unit];
  if (bits === undefined) throw new Error(`a type with unit ${unit}`);
  return fixed(bits, unit);
}

function bounded(value: number, most: number, what: string): number {
  if (value < 0 || value > most) throw new Error(`${what} of ${value}`);
  return value;
}

function typeFacts(type: number, table: FlatTable): TypeFacts {
  switch (type) {
    case ARROW.int:
      return integer(table);
    case ARROW.float:
      return unitOf(table, 0, [16, 32, 64]);
    case ARROW.date:
      return unitOf(table, 1, [32, 64]);
    case ARROW.interval:
      return unitOf(table, 0, [32, 64, 128]);
    case ARROW.duration:
      return unitOf(table, 1, [64, 64, 64, 64]);
    case ARROW.timestamp: {
      const { bits, details } = unitOf(table, 0, [64, 64, 64, 64]);
      return fixed(bits, ...details, flatText(table, 1));
    }
    case ARROW.time: {
      const { details } = unitOf(table, 1, [32, 32, 64, 64]);
      const bits = flatInt(table, 1, 'Int32', 32);
      if (bits !== 32 && bits !== 64) throw new Error(`times of ${bits} bits`);
      return fixed(bits, ...details);
    }
    case ARROW.decimal: {
      const bits = flatInt(table, 2, 'Int32', 128);
      if (![32, 64, 128, 256].includes(bits)) throw new Error(`decimals of ${bits} bits`);
      return fixed(bits, flatInt(table, 0, 'Int32'), flatInt(table, 1, 'Int32'));
    }
    case ARROW.fixedBinary:
      return fixed(8 * bounded(flatInt(table, 0, 'Int32'), 2 ** 27, 'values'));
    case ARROW.fixedList:
      return fixed(0, bounded(flatInt(table, 0, 'Int32'), 2 ** 30, 'lists'));
    case ARROW.union: {
      const ids = flatItems(table, 1, 4).map((item) => table.view.getInt32(item, true));
      return fixed(0, bounded(flatInt(table, 0, 'Int16'), 1, 'a union mode'), ...ids);
    }
    default:
      return fixed(0);
  }
}

/** Types whose description says more than their name. */
const DETAILED = new Set<number>([
  ARROW.int,
  ARROW.float,
  ARROW.date,
  ARROW.interval,
  ARROW.duration,
  ARROW.timestamp,
  ARROW.time,
  ARROW.decimal,
  ARROW.fixedBinary,
  ARROW.fixedList,
  ARROW.union,
]);

interface Walk {
  left: number;
}

function fieldOf(table: FlatTable, depth: number, walk: Walk): ArrowField {
  walk.left -= 1;
  if (depth > DEPTH || walk.left < 0) throw new Error('fields are nested without end');
  const type = flatInt(table, 2, 'Uint8');
  const unread = UNREAD.get(type);
  if (unread) throw new UnreadType(`column ${shown(flatText(table, 0) ?? '')} is ${unread[0]}`, unread[1]);
  if (!KNOWN.has(type)) throw new Error(`a column of type ${type}, which is not known here`);
  const said = flatTable(table, 3);
  if (said !== null && type === ARROW.decimal && flatInt(said, 2, 'Int32', 128) < 128)
    throw new UnreadType(
      `column ${shown(flatText(table, 0) ?? '')} has decimals of fewer than 128 bits`,
      'Write it wider: in pyarrow `COLUMN.cast(pyarrow.decimal128(18, SCALE))`.',
    );
  if (said === null && DETAILED.has(type)) throw new Error('a column without the details of its type');
  const encoding = flatTable(table, 4);
  const index = encoding && flatTable(encoding, 1);
  const { bits, signed } = index ? integer(index) : { bits: 32, signed: true };
  return {
    name: flatText(table, 0) ?? '',
    nullable: flatInt(table, 1, 'Uint8') !== 0,
    type,
    ...(said === null || !DETAILED.has(type) ? fixed(type === ARROW.bool ? 1 : 0) : typeFacts(type, said)),
    children: flatTables(table, 5).map((child) => fieldOf(child, depth + 1, walk)),
    metadata: metadataOf(table, 6),
    ...(encoding === null ? {} : { dictionary: { id: flatLong(encoding, 0), bits, signed } }),
  };
}

/** Reads the schema that a table describes, whole. Throws a plain error where it is damaged. Errors: BOUND_EXCEEDED before any of too many columns is read. */
export function arrowSchema(table: FlatTable, file: string): ArrowSchema {
  assertColumns(flatItems(table, 1, 4).length, { file });
  if (flatInt(table, 0, 'Int16') !== 0) throw new Error('numbers are big-endian');
  const walk: Walk = { left: table.view.byteLength / FIELD_BYTES };
  return {
    fields: flatTables(table, 1).map((field) => fieldOf(field, 0, walk)),
    metadata: metadataOf(table, 2),
  };
}

/** Tells what each dictionary of a schema holds: the first field that names it says so. */
export function dictionaryFields(fields: readonly ArrowField[]): Map<number, ArrowField> {
  const found = new Map<number, ArrowField>();
  const add = (field: ArrowField) => {
    const { dictionary, ...value } = field;
    if (dictionary && !found.has(dictionary.id)) found.set(dictionary.id, value);
    field.children.forEach(add);
  };
  fields.forEach(add);
  return found;
}
