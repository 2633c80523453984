import { readFileSync } from 'node:fs';
import { FlavourError } from '../../util/error.js';

const PAGE = 65_536;

let compiled: WebAssembly.Module | undefined;

/** The kernel module, compiled once a thread. */
function kernelModule(): WebAssembly.Module {
  if (!compiled) {
    const url = new URL('../../../build/kernels.wasm', import.meta.url);
    try {
      compiled = new WebAssembly.Module(readFileSync(url));
    } catch (cause) {
      throw new FlavourError('BACKEND_UNAVAILABLE', 'build/kernels.wasm cannot be loaded', {
        hint: 'Run `npm run build:wasm`, or ask for the reference backend.',
        cause,
      });
    }
  }
  return compiled;
}

/** One instance of the kernels and its memory, given out from the front and taken back whole. */
export interface Arena<Exports> {
  readonly kernels: Exports;
  /** Address of `bytes` fresh bytes, 16-aligned; memory grows as needed, so take views afterwards. */
  take(bytes: number): number;
  /** Copies an array in; returns its address. */
  put(values: ArrayBufferView): number;
  /** Copies `out.length` values out. */
  get<T extends Float64Array | Uint16Array | Int32Array>(address: number, out: T): T;
  /** Frees everything taken. */
  reset(): void;
}

/** Opens an arena over an own instance of the kernels. */
export function openArena<Exports>(): Arena<Exports> {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const instance = new WebAssembly.Instance(kernelModule(), {
    env: {
      memory,
      abort: () => {
        throw new Error('a kernel was called with arguments out of range');
      },
    },
  });
  const kernels = instance.exports as unknown as Exports & { heapBase(): number };
  const base = Math.ceil(kernels.heapBase() / 16) * 16;
  let next = base;
  const take = (bytes: number): number => {
    const address = next;
    next += Math.ceil(bytes / 16) * 16;
    const missing = next - memory.buffer.byteLength;
    if (missing > 0) {
      try {
        memory.grow(Math.ceil(missing / PAGE));
      } catch (cause) {
        throw new FlavourError('BOUND_EXCEEDED', `${next} bytes do not fit a kernel's memory`, {
          hint: 'Work in smaller batches.',
          cause,
        });
      }
    }
    return address;
  };
  return {
    kernels,
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
    reset() {
      next = base;
    },
  };
}
