// Ends `npm run build:wasm`: writes into the kernels a digest of the sources they were built from (section `sources`), made as in
// src/engine/wasm/node-module.ts, which compares it when they are loaded.
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./', import.meta.url);
const hash = createHash('sha256');
for (const name of readdirSync(folder).filter((file) => file.endsWith('.ts')).sort()) {
  const bytes = readFileSync(new URL(name, folder));
  hash.update(`${name}\n${bytes.length}\n`).update(bytes);
}
const part = (text) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
const section = Buffer.concat([part('sources'), Buffer.from(hash.digest('hex'))]);
const stamp = Buffer.concat([Buffer.from([0, section.length]), section]);
appendFileSync(new URL('../build/kernels.wasm', folder), stamp);
