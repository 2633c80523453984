/** Scored rows of a part, a number each: tables are made of them when the part is done. */
export interface RowColumns {
  readonly count: number;
  readonly models: Int32Array;
  readonly tasks: Int32Array;
  /** Answer codes (outcome.ts). */
  readonly codes: Int8Array;
  /** 1-based line; 0 where there is none. */
  readonly lines: Float64Array;
  /** 1-based row of a table or item of a list; 0 where there is none. */
  readonly items: Float64Array;
}

/** Opens columns that grow, and keep their room from one part to the next. */
export function rowColumns() {
  let size = 1 << 14;
  let count = 0;
  let models = new Int32Array(size);
  let tasks = new Int32Array(size);
  let codes = new Int8Array(size);
  let lines = new Float64Array(size);
  let items = new Float64Array(size);
  const grow = <A extends Int32Array | Int8Array | Float64Array>(from: A, to: A): A => {
    to.set(from);
    return to;
  };
  return {
    add(model: number, task: number, code: number, line: number, item: number): void {
      if (count === size) {
        size *= 2;
        models = grow(models, new Int32Array(size));
        tasks = grow(tasks, new Int32Array(size));
        codes = grow(codes, new Int8Array(size));
        lines = grow(lines, new Float64Array(size));
        items = grow(items, new Float64Array(size));
      }
      models[count] = model;
      tasks[count] = task;
      codes[count] = code;
      lines[count] = line;
      items[count] = item;
      count += 1;
    },
    /** The rows since the last call; valid until the next one is added. */
    take(): RowColumns {
      const taken = { count, models, tasks, codes, lines, items };
      count = 0;
      return taken;
    },
  };
}
