import { FlavourError } from '../../util/error.js';
import { bootstrapBound } from '../bounds.js';
import type { BootstrapValues, Engine, RunNotes } from '../engine.js';
import { enumeratedBootstrap } from '../enumerated.js';
import { layoutOf } from '../layout.js';
import { checkBootstrap, checkDrawn, checkExactFlips, checkFlips, checkStudentised } from '../request.js';
import { openArena } from '../wasm/arena.js';
import { runBootstrap } from '../wasm/bootstrap.js';
import { valueTable } from '../wasm/draws.js';
import { VALUE_BYTES } from '../wasm/engine.js';
import { inlineRunner } from '../wasm/runner.js';
import { runStudentised } from '../wasm/studentised.js';
import { BUFFER_BYTES, deviceValues, openBootstrapPasses } from './bootstrap.js';
import { loadShader, openDevice, type ReadKernel, watched } from './device.js';
import { deviceFlips, openFlipPasses } from './flips.js';

/** What an engine on a device is made of. */
export interface DeviceEngineOptions {
  /** The entry of WebGPU; asked once, and not kept here. */
  gpu(): GPU;
  readonly module: WebAssembly.Module;
  readonly read: ReadKernel;
  readonly valueBytes?: number;
  /** Bytes of the largest buffers of a dispatch. */
  readonly bufferBytes?: number;
  /** Opened when the device declines a request or is lost. */
  openFallback(): Promise<Engine>;
  /** Lets go of `gpu`. */
  release?(): void;
}

/** An engine that says what it runs on. */
export interface DeviceEngine extends Engine {
  /** The adapter computes on the processor. */
  readonly software: boolean;
  readonly device: GPUDevice;
}

const RECOVERABLE = ['DEVICE_DECLINED', 'DEVICE_LOST'];

/**
 * Opens an engine on a WebGPU device. What the device declines or fails at is run by the fallback, with a warning.
 *
 * Errors: BACKEND_UNAVAILABLE where there is no adapter.
 */
export async function createDeviceEngine(options: DeviceEngineOptions): Promise<DeviceEngine> {
  const { module, read, valueBytes = VALUE_BYTES, bufferBytes = BUFFER_BYTES } = options;
  const device = await openDevice(options.gpu());
  const arena = openArena(module);
  const runner = inlineRunner(arena.kernels, arena.memory);
  const bootstrapCode = await loadShader(read, 'bootstrap.wgsl');
  const flipCode = await loadShader(read, 'signflip.wgsl');
  const passes = openBootstrapPasses(device, bootstrapCode);
  const flipPasses = openFlipPasses(device, flipCode);
  const how = { valueBytes, make: deviceValues(device, passes, bufferBytes) };
  let fallback: Promise<Engine> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const run = <T extends RunNotes>(
    onDevice: () => Promise<T>,
    elsewhere: (engine: Engine) => Promise<T>,
  ): Promise<T> => {
    const attempt = async (): Promise<T> => {
      try {
        return await watched(device, onDevice);
      } catch (error) {
        if (!(error instanceof FlavourError) || !RECOVERABLE.includes(error.code)) throw error;
        fallback ??= options.openFallback();
        const engine = await fallback;
        const result = await elsewhere(engine);
        const what = error.code === 'DEVICE_LOST' ? 'the device failed' : 'the device declined';
        const warning = `webgpu: ${what} (${error.message}); ran on ${engine.backend}`;
        return { ...result, warnings: [...(result.warnings ?? []), warning] };
      }
    };
    const turn = last.then(attempt, attempt);
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    backend: 'webgpu',
    threads: 1,
    reason: `as asked, on ${device.name}`,
    software: device.software,
    device: device.device,
    bootstrap(design, request) {
      return run(
        async () => {
          checkBootstrap(request, design);
          if (request.enumerate) return enumeratedBootstrap(design, request);
          return runBootstrap(arena, runner, design, request, how);
        },
        (engine) => engine.bootstrap(design, request),
      );
    },
    bootstrapValues(design, request) {
      return run<BootstrapValues & RunNotes>(
        async () => {
          checkBootstrap(request, design);
          checkDrawn(request);
          bootstrapBound(design);
          const layout = layoutOf(design);
          return valueTable(arena, runner, design, layout, request, how);
        },
        (engine) => engine.bootstrapValues(design, request),
      );
    },
    studentised(design, request) {
      return run(
        async () => {
          checkStudentised(request);
          return runStudentised(arena, runner, design, request, valueBytes);
        },
        (engine) => engine.studentised(design, request),
      );
    },
    flips(design, request) {
      return run(
        async () => {
          checkFlips(request, design);
          const signs = { kind: 'random', ...request } as const;
          const { draws } = request;
          return deviceFlips(device, flipPasses, arena, design, draws, signs, request, bufferBytes);
        },
        (engine) => engine.flips(design, request),
      );
    },
    exactFlips(design, request) {
      return run(
        async () => {
          checkExactFlips(request, design);
          const draws = 2 ** design.clusters;
          const signs = { kind: 'all' } as const;
          return deviceFlips(device, flipPasses, arena, design, draws, signs, request, bufferBytes);
        },
        (engine) => engine.exactFlips(design, request),
      );
    },
    async close() {
      await last;
      device.device.destroy();
      options.release?.();
      await (await fallback)?.close();
    },
  };
}
