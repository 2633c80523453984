/** Reads a kernel by file name. */
export type ReadKernel = (name: string) => Promise<string>;

const INCLUDE = /^#include "([\w.-]+)"\s*$/gm;

/** Text of a kernel with each `#include "name"` line replaced by that kernel, each one once. */
export async function loadShader(read: ReadKernel, name: string): Promise<string> {
  const seen = new Set<string>();
  const load = async (file: string): Promise<string> => {
    seen.add(file);
    let text = await read(file);
    for (const [line, included] of text.matchAll(INCLUDE))
      text = text.replace(line, seen.has(included!) ? '' : await load(included!));
    return text;
  };
  return load(name);
}
