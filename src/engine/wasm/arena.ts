import { fail } from '../../util/error.js';
import { type Kernels, labelledKernels, type RawKernels } from './kernels.js';

const PAGE = 65_536;
const MAX_PAGES = 65_536;

/** Opens memory that several instances of the kernels can work in at once; it grows up to 4 GB. */
export function openMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true });
}

/** Makes an instance of the kernels over a memory. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernels {
  const env = {
    memory,
    powerOf: (q: number, n: number) => Math.exp(n * Math.log(q)),
    abort: () => {
      throw new Error('a kernel was called with arguments out of range');
    },
  };
  return labelledKernels(new WebAssembly.Instance(module, { env }).exports as unknown as RawKernels);
}

/** Arrays that the kernels read and write. */
export type KernelArray =
  | Float64Array
  | BigInt64Array
  | BigUint64Array
  | Int32Array
  | Uint32Array
  | Uint16Array
  | Int16Array
  | Uint8Array;

/** One instance of the kernels and its memory, given out from the front and taken back whole. */
export interface Arena {
  readonly kernels: Kernels;
  readonly memory: WebAssembly.Memory;
  /** Address of the room that is never given out: what is left there stays. */
  readonly room: number;
  /** Address of `bytes` fresh bytes, 16-aligned; memory grows as needed, so take views afterwards. */
  take(bytes: number): number;
  /** Copies an array in; returns its address. */
  put(values: ArrayBufferView): number;
  /** Copies `out.length` values out. */
  get<T extends KernelArray>(address: number, out: T): T;
  /** Frees everything taken after `mark`, or everything. */
  reset(mark?: number): void;
  /** Address that the next `take` gives. */
  mark(): number;
}

/**
 * Opens an arena over an instance of the kernels of its own, behind `roomBytes` of room; a system gives memory for it where it is written to. Its
 * `take` fails with BOUND_EXCEEDED past 4 GB.
 */
export function openArena(module: WebAssembly.Module, roomBytes = 0): Arena {
  const memory = openMemory();
  const kernels = instantiate(module, memory);
  const room = Math.ceil(kernels.heapBase() / 16) * 16;
  const base = room + Math.ceil(roomBytes / 16) * 16;
  let next = base;
  const take = (bytes: number): number => {
    const address = next;
    next += Math.ceil(bytes / 16) * 16;
    const missing = next - memory.buffer.byteLength;
    if (missing > 0) {
      try {
        memory.grow(Math.ceil(missing / PAGE));
      } catch (cause) {
        const asked = next;
        next = address;
        fail('BOUND_EXCEEDED', null, `${asked} bytes do not fit a kernel's memory`, 'Work in smaller batches.', {
          cause,
        });
      }
    }
    return address;
  };
  return {
    kernels,
    memory,
    room,
    take,
    put(values) {
      const address = take(values.byteLength);
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      new Uint8Array(memory.buffer, address, values.byteLength).set(bytes);
      return address;
    },
    get(address, out) {
      const from = new Uint8Array(memory.buffer, address, out.byteLength);
      new Uint8Array(out.buffer, out.byteOffset, out.byteLength).set(from);
      return out;
    },
    reset(mark = base) {
      next = mark;
    },
    mark: () => next,
  };
}
