import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { kernelsDigest } from '../../src/cli/sharing/kernels-digest.js';
import { VERSION } from '../../src/util/version.js';

/** Replaces what stands in bytes once by as many other characters. */
function altered(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from, 0, 'latin1');
  if (at < 0 || bytes.indexOf(from, at + 1, 'latin1') >= 0 || from.length !== to.length)
    throw new Error(`${from} does not stand there once, or ${to} is not as long`);
  const copy = Buffer.from(bytes);
  copy.write(to, at, 'latin1');
  return copy;
}

/** Copies the built program into a folder as another release: of another version, or with kernels of other sources. Returns its command line. */
export function otherRelease(folder: string, { version = VERSION, kernels = kernelsDigest() }): string {
  for (const name of ['dist/bundle', 'dist/cli', 'build']) mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  for (const name of ['package.json', 'dist/cli/main.js']) copyFileSync(name, join(folder, name));
  // Without the code that V8 made of them, which it takes for that of any text as long.
  for (const name of readdirSync('dist/bundle').filter((name) => name.endsWith('.cjs')))
    copyFileSync(join('dist/bundle', name), join(folder, 'dist/bundle', name));
  const program = altered(readFileSync('dist/bundle/program.cjs'), `VERSION="${VERSION}"`, `VERSION="${version}"`);
  writeFileSync(join(folder, 'dist/bundle/program.cjs'), program);
  const module = altered(readFileSync('build/kernels.wasm'), kernelsDigest(), kernels);
  writeFileSync(join(folder, 'build/kernels.wasm'), module);
  return join(folder, 'dist/cli/main.js');
}
