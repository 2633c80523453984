import type { ClusterDesign } from '../design.js';
import type { Layout } from '../layout.js';
import { partsByUnit, type Units } from '../linearised.js';
import type { Arena } from './arena.js';

/** Where the units of a design lie in kernel memory (assembly/studentised.ts). */
export interface UnitTables {
  /** Strata where some unit spans them, else 0. */
  readonly spanned: number;
  readonly slots: number;
  /** Classes of parts: those of one stratum and size. */
  readonly partClasses: number;
  readonly partClassCount: number;
  /** Classes of units: those whose parts are of the same classes. */
  readonly unitStarts: number;
  readonly unitMembers: number;
  readonly unitClassCount: number;
}

/** Numbers what it is given, equal things alike, in the order of their first appearance. */
function numbering<T>(key: (thing: T) => string) {
  const numbers = new Map<string, number>();
  const things: T[] = [];
  return {
    things,
    numberOf(thing: T): number {
      const name = key(thing);
      const known = numbers.get(name);
      if (known !== undefined) return known;
      numbers.set(name, things.length);
      return things.push(thing) - 1;
    },
  };
}

/** Rows of a tile of totals. */
export const TILE_ROWS = 8;
const SLOT_BYTES = 32;
const CLASS_BYTES = 16;

/** Puts the slots of a design, unit after unit, and their classes into kernel memory; `order` is the part of each slot. */
export function putUnitTables(
  arena: Arena,
  design: ClusterDesign,
  layout: Layout,
  units: Units,
): { readonly tables: UnitTables; readonly order: Int32Array } {
  const { strata, partStratum, partTasks } = design;
  const own = partsByUnit(units);
  const partKinds = numbering((p: number) => `${partStratum[p]} ${partTasks[p]}`);
  const unitKinds = numbering((members: readonly number[]) => members.join(' '));
  const order = new Int32Array(layout.parts);
  const slots = new DataView(new ArrayBuffer(layout.parts * SLOT_BYTES));
  let slot = 0;
  for (const u of own.order) {
    const parts = own.parts.subarray(own.start[u]!, own.start[u + 1]!);
    const members = Array.from(parts, partKinds.numberOf);
    const kind = unitKinds.numberOf(members);
    parts.forEach((p, i) => {
      const at = slot * SLOT_BYTES;
      const last = i === parts.length - 1 ? 1 : 0;
      slots.setUint32(at, slot * TILE_ROWS * 8, true);
      slots.setUint32(at + 4, partStratum[p]! * 2 + last, true);
      slots.setUint32(at + 8, p * 2, true);
      slots.setUint32(at + 24, members[i]!, true);
      slots.setUint32(at + 28, kind, true);
      order[slot] = p;
      slot += 1;
    });
  }
  const classes = new DataView(new ArrayBuffer(partKinds.things.length * CLASS_BYTES));
  partKinds.things.forEach((p, k) => {
    classes.setFloat64(k * CLASS_BYTES, partTasks[p]!, true);
    classes.setUint32(k * CLASS_BYTES + 8, partStratum[p]!, true);
  });
  const starts = new Uint32Array(unitKinds.things.length + 1);
  unitKinds.things.forEach((members, k) => {
    starts[k + 1] = starts[k]! + members.length;
  });
  return {
    order,
    tables: {
      spanned: own.linked ? strata : 0,
      slots: arena.put(slots),
      partClasses: arena.put(classes),
      partClassCount: partKinds.things.length,
      unitStarts: arena.put(starts),
      unitMembers: arena.put(Uint32Array.from(unitKinds.things.flat())),
      unitClassCount: unitKinds.things.length,
    },
  };
}

/** Puts totals of rows first .. first + count - 1 as tiles of 8 rows, slot after slot; returns the address and the bytes of a tile. */
export function putTiles(arena: Arena, design: ClusterDesign, order: Int32Array, first: number, count: number) {
  const { rows, partTotals } = design;
  const tiles = Math.ceil(count / TILE_ROWS);
  const cells = new Float64Array(tiles * order.length * TILE_ROWS);
  for (let m = 0; m < count; m += 1) {
    const to = Math.floor(m / TILE_ROWS) * order.length * TILE_ROWS + (m % TILE_ROWS);
    order.forEach((p, slot) => {
      cells[to + slot * TILE_ROWS] = partTotals[p * rows + first + m]!;
    });
  }
  return { table: arena.put(cells), tileBytes: order.length * TILE_ROWS * 8 };
}
