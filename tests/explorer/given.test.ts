import { describe, expect, it } from 'vitest';
import { chosenFiles } from '../../src/explorer/given.js';
import { droppedFiles } from '../../src/explorer/sources/dropped-files.js';

/** A file as a browser hands it over. */
const browserFile = (name: string, size: number, path = '') =>
  ({ name, size, webkitRelativePath: path, arrayBuffer: async () => new ArrayBuffer(3) }) as unknown as File;

interface Fake {
  readonly name: string;
  readonly size?: number;
  readonly children?: readonly Fake[];
}

/** An entry of a file system as a browser gives it for what was dropped: folders tell their contents two at a time. */
function entry({ name, size = 1, children }: Fake): FileSystemEntry {
  if (children === undefined) {
    const file = (done: (found: File) => void) => done(browserFile(name, size));
    return { isFile: true, isDirectory: false, name, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    let at = 0;
    return {
      readEntries(done: (found: FileSystemEntry[]) => void) {
        done(children.slice(at, at + 2).map(entry));
        at += 2;
      },
    };
  };
  return { isFile: false, isDirectory: true, name, createReader } as unknown as FileSystemEntry;
}

const dropped = (fakes: readonly Fake[]) =>
  droppedFiles({
    items: fakes.map((fake) => ({ webkitGetAsEntry: () => entry(fake) })),
    files: [],
  } as unknown as DataTransfer);

describe('what a page is given', () => {
  it('are chosen files under their paths in the folder that was chosen', async () => {
    const [file] = chosenFiles([browserFile('a.json', 3, 'rel/tasks/a.json')]);
    expect([file!.name, file!.folder, file!.found, (await file!.bytes()).length]).toEqual([
      ...['rel/tasks/a.json', 'rel/tasks', true, 3],
    ]);
  });

  it('is refused with its size where it is more than a page reads', () => {
    expect(() => chosenFiles([browserFile('a', 300 * 2 ** 20), browserFile('b', 300 * 2 ** 20)])).toThrow(
      expect.objectContaining({ code: 'BOUND_EXCEEDED', message: expect.stringContaining('600 MiB') }),
    );
  });

  it('is everything in a dropped folder, by name, but hidden files', async () => {
    const tree = ['c', '.hidden', 'a', 'b', 'd'].map((name) => ({ name }));
    const found = await dropped([{ name: 'rel', children: [...tree, { name: 'in', children: [{ name: 'z' }] }] }]);
    expect(found.map(({ name }) => name)).toEqual(['rel/a', 'rel/b', 'rel/c', 'rel/d', 'rel/in/z']);
    expect(found.every(({ found: inFolder }) => inFolder)).toBe(true);
  });

  it('is refused where folders lie too deep in each other', async () => {
    let deep: Fake = { name: 'x' };
    for (let k = 0; k < 40; k += 1) deep = { name: `f${k}`, children: [deep] };
    await expect(dropped([deep])).rejects.toMatchObject({ code: 'BOUND_EXCEEDED' });
  });

  it('counts the size of what is dropped as of what is chosen', async () => {
    await expect(
      dropped([
        { name: 'a', size: 400 * 2 ** 20 },
        { name: 'b', size: 400 * 2 ** 20 },
      ]),
    ).rejects.toMatchObject({
      code: 'BOUND_EXCEEDED',
    });
  });
});
