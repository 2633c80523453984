#!/usr/bin/env bash
# Parity, throughput and the crossover of `auto` on a hardware WebGPU adapter, in under five minutes: see bench/device.js.
# It has not been run on a hardware adapter yet, only tried with --software (SwiftShader).
# Needs Node 20 and a graphics driver with Vulkan; installs and builds where that was not done.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -d node_modules/webgpu ] || npm ci --no-audit --no-fund
[ -f dist/engine/index.js ] && [ -f build/kernels.wasm ] || npm run build --silent
exec timeout 295 node bench/device.js "$@"
