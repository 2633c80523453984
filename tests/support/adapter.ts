import { create } from 'webgpu';

/** Is there a WebGPU adapter, if only Chromium's software one (vitest.config.ts)? Its absence fails a CI run. */
export const hasAdapter = (await create([]).requestAdapter()) !== null;
if (!hasAdapter && process.env.CI === 'true')
  throw new Error('CI=true needs a WebGPU adapter: install chromium, whose software adapter serves');

/** Stands in the name of a suite that is skipped. */
export const noAdapterReason = hasAdapter ? '' : ' (skipped: no WebGPU adapter)';
