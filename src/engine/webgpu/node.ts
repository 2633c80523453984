import { readFile } from 'node:fs/promises';
import { fail } from '../../util/error.js';
import type { Engine } from '../engine.js';
import { kernelModule } from '../wasm/module.js';
import { createDeviceEngine, type DeviceEngine } from './engine.js';

/** What the WebGPU backend of Node can be told. */
export interface NodeDeviceOptions {
  readonly valueBytes?: number;
  readonly bufferBytes?: number;
  openFallback(): Promise<Engine>;
}

interface Dawn {
  create(options: string[]): GPU;
}

/** The optional `webgpu` package, Dawn for Node. */
async function loadDawn(): Promise<Dawn> {
  const name = 'webgpu';
  try {
    return (await import(name)) as Dawn;
  } catch (cause) {
    fail(
      'BACKEND_UNAVAILABLE',
      null,
      'the package `webgpu` is not installed',
      'Run `npm install webgpu`, or use --backend pool.',
      { cause },
    );
  }
}

/**
 * Asks the system for the library that Dawn needs on Linux. Dawn would say itself that it is missing, on standard error and past
 * any control of ours. Node refuses every library that is not made for it, but only after it was found. Errors:
 * BACKEND_UNAVAILABLE.
 */
export function assertVulkan(library = 'libvulkan.so.1'): void {
  if (process.platform !== 'linux') return;
  try {
    process.dlopen({ exports: {} }, library);
  } catch (cause) {
    if (/self-register/.test(String(cause))) return;
    fail(
      'BACKEND_UNAVAILABLE',
      null,
      `no WebGPU adapter was found: Vulkan (${library}) is not installed`,
      'Install a graphics driver with Vulkan, or use --backend pool.',
      { cause },
    );
  }
}

/** Opens the WebGPU backend in Node. Errors: BACKEND_UNAVAILABLE where the package, Vulkan or an adapter is missing. */
export async function openNodeDevice(options: NodeDeviceOptions): Promise<DeviceEngine> {
  const dawn = await loadDawn();
  assertVulkan();
  // Dawn runs as long as something refers to this object, and no longer: it must outlive the device, and then go.
  const held: { gpu?: GPU } = { gpu: dawn.create([]) };
  return createDeviceEngine({
    ...options,
    gpu: () => held.gpu!,
    module: kernelModule(),
    read: (name) => readFile(new URL(`../../../kernels/${name}`, import.meta.url), 'utf8'),
    release() {
      delete held.gpu;
    },
  });
}
