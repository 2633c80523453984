import { FlavourError, fail } from '../../util/error.js';

/** Flags of the WebGPU specification, which no global gives in Node. */
const USAGE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, UNIFORM: 64, STORAGE: 128 };
const MAP_READ = 1;

/** An open device, its limits, and whether it is still there. */
export interface Device {
  readonly device: GPUDevice;
  readonly limits: GPUSupportedLimits;
  /** Vendor, architecture and description of the adapter. */
  readonly name: string;
  /** The adapter computes on the processor: for tests, never chosen by `auto`. */
  readonly software: boolean;
  /** Why the device was lost; undefined while it is there. */
  lost(): string | undefined;
}

const SOFTWARE = /swiftshader|llvmpipe|lavapipe|software|basic render/i;

/**
 * Opens the first adapter with the limits it has.
 *
 * Errors: BACKEND_UNAVAILABLE where there is none.
 */
export async function openDevice(gpu: GPU): Promise<Device> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter)
    fail(
      'BACKEND_UNAVAILABLE',
      null,
      'no WebGPU adapter was found',
      'Install a graphics driver with Vulkan, or use --backend pool.',
    );
  const { limits, info } = adapter;
  const device = await adapter.requestDevice({
    requiredLimits: {
      maxBufferSize: limits.maxBufferSize,
      maxStorageBufferBindingSize: limits.maxStorageBufferBindingSize,
      maxComputeWorkgroupStorageSize: limits.maxComputeWorkgroupStorageSize,
      maxComputeWorkgroupsPerDimension: limits.maxComputeWorkgroupsPerDimension,
    },
  });
  let reason: string | undefined;
  device.lost.then(({ reason: why, message }) => {
    reason = message || why;
  });
  const name = [info.vendor, info.architecture, info.description].filter(Boolean).join(' ');
  return {
    device,
    limits: device.limits,
    name,
    software: info.isFallbackAdapter || SOFTWARE.test(name),
    lost: () => reason,
  };
}

/** What to do where the device cannot do a request (DEVICE_DECLINED) or is gone: another backend can. */
export const USE_POOL = 'Use --backend pool.';

/**
 * Runs work and watches for errors of the device meanwhile.
 *
 * Errors: DEVICE_LOST where the device raised one or is gone.
 */
export async function watched<T>({ device, lost }: Device, work: () => Promise<T>): Promise<T> {
  for (const filter of ['validation', 'out-of-memory', 'internal'] as const) device.pushErrorScope(filter);
  let result: T | undefined;
  let failure: unknown;
  try {
    result = await work();
  } catch (error) {
    failure = error;
  }
  const messages: string[] = [];
  for (let scope = 0; scope < 3; scope++) {
    const error = await device.popErrorScope().catch((problem: Error) => problem);
    if (error) messages.push(error.message);
  }
  const gone = lost();
  if (failure instanceof FlavourError) throw failure;
  if (gone !== undefined || messages.length > 0 || failure !== undefined) {
    const what = gone ?? messages[0] ?? String(failure);
    fail('DEVICE_LOST', null, what.split('\n')[0]!.slice(0, 300), USE_POOL, { cause: failure });
  }
  return result as T;
}

/** Buffers of one request; all of them are destroyed by `free`. */
export interface Buffers {
  /** Storage that starts with the given content. */
  input(data: ArrayBufferView): GPUBuffer;
  /** Storage that shaders write and the host may read, zero at first. */
  output(bytes: number): GPUBuffer;
  /** The words of a job, in the order of the labels (`struct Job` of the shader). */
  uniform<Label extends string>(labels: readonly Label[], job: Readonly<Record<Label, number>>): GPUBuffer;
  /** Copies the first bytes of an output to the host. */
  read(buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer>;
  free(): void;
}

/** Opens the buffers of one request. Errors: DEVICE_DECLINED where one is past the limits of the adapter. */
export function openBuffers({ device, limits }: Device): Buffers {
  const made: GPUBuffer[] = [];
  const make = (bytes: number, usage: number): GPUBuffer => {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    const most = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
    if (size > most)
      fail('DEVICE_DECLINED', null, `a buffer of ${size} bytes is past the ${most} bytes of the adapter`, USE_POOL);
    const buffer = device.createBuffer({ size, usage });
    made.push(buffer);
    return buffer;
  };
  const filled = (data: ArrayBufferView, usage: number): GPUBuffer => {
    const buffer = make(data.byteLength, usage | USAGE.COPY_DST);
    const bytes = new Uint8Array(Math.ceil(data.byteLength / 4) * 4);
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
  };
  return {
    input: (data) => filled(data, USAGE.STORAGE),
    output: (bytes) => make(bytes, USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST),
    uniform: (labels, job) =>
      filled(
        Uint32Array.from(labels, (label) => job[label]),
        USAGE.UNIFORM,
      ),
    async read(buffer, bytes) {
      const staging = make(bytes, USAGE.MAP_READ | USAGE.COPY_DST);
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(buffer, 0, staging, 0, Math.ceil(bytes / 4) * 4);
      device.queue.submit([encoder.finish()]);
      await staging.mapAsync(MAP_READ);
      const copy = staging.getMappedRange().slice(0, bytes);
      staging.unmap();
      staging.destroy();
      made.splice(made.indexOf(staging), 1);
      return copy;
    },
    free() {
      for (const buffer of made.splice(0)) buffer.destroy();
    },
  };
}

/** A compute pipeline and its dispatch over any number of workgroups. */
export interface Pass {
  encode(encoder: GPUCommandEncoder, buffers: readonly GPUBuffer[], groups: number): void;
}

/** Compiles one entry point of a shader; `bindings` are the numbers of the buffers that it uses. */
export function openPass(
  { device, limits }: Device,
  code: string,
  entryPoint: string,
  bindings: readonly number[],
  constants: Record<string, number> = {},
): Pass {
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({
    layout: 'auto',
    compute: { module, entryPoint, constants },
  });
  return {
    encode(encoder, buffers, groups) {
      const wide = Math.min(groups, limits.maxComputeWorkgroupsPerDimension);
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(
        0,
        device.createBindGroup({
          layout: pipeline.getBindGroupLayout(0),
          entries: bindings.map((binding) => ({
            binding,
            resource: { buffer: buffers[binding]! },
          })),
        }),
      );
      pass.dispatchWorkgroups(wide, Math.ceil(groups / wide));
      pass.end();
    },
  };
}

/** Reads a file of kernels/ by its name. */
export type ReadKernel = (name: string) => Promise<string>;

const INCLUDE = /^#include "([\w.-]+)"\s*$/gm;

/** Reads a shader and puts the file that an `#include "name"` line names in its place, each file once. */
export async function loadShader(read: ReadKernel, name: string): Promise<string> {
  const loaded = new Set<string>();
  const load = async (file: string): Promise<string> => {
    loaded.add(file);
    let text = await read(file);
    for (const [line, included] of text.matchAll(INCLUDE))
      text = text.replace(line, loaded.has(included!) ? '' : await load(included!));
    return text;
  };
  return load(name);
}
