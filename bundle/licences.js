import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The licence of a package that was taken in, with its texts. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

/** Writes LICENCES.txt beside bundles: their copies must carry the licences of the packages in them. */
export function writeLicences(folder, bundles) {
  const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
  writeFileSync(join(folder, 'LICENCES.txt'), `${[...packages].sort().map(licenceOf).join('\n\n---\n\n')}\n`);
}
