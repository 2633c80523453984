import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Pixels, readPixels } from '../../src/draw/pixels.js';
import type { Engine } from '../../src/engine/engine.js';
import { createEngine } from '../../src/engine/node.js';
import { inferencePlan } from '../../src/inference/plan.js';
import { buildRelease, writeRelease } from '../../src/release/build.js';
import { releaseFigures } from '../../src/release/figures.js';
import { gatherSources } from '../../src/release/gather.js';
import { pictures } from '../../src/release/illustrate.js';
import { illustrationData } from '../../src/release/illustration-data.js';
import { openRelease } from '../../src/release/open/open-release.js';
import { differenceText } from '../../src/release/proofs/differences.js';
import type { ReleaseFile } from '../../src/release/release-files.js';
import { type VerifyOptions, verifyRelease } from '../../src/release/verify.js';
import { cliInline } from '../support/cli-inline.js';
import { reseal } from '../support/release-world.js';

let dir: string;
let good: string;
let engine: Engine;
/** Every picture, drawn once. */
let drawn: readonly ReleaseFile[];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'pictures-'));
  good = join(dir, 'good');
  engine = await createEngine({ backend: 'wasm' });
  const { sources } = await gatherSources({
    tasks: ['fixtures/tasks-small.json'],
    ledgers: [],
    responses: ['fixtures/responses-small.jsonl'],
    plan: inferencePlan({ draws: 200, flips: 300 }),
    title: { benchmark: 'Small', track: 'Tasks', claim: 'Nothing', licence: 'none' },
  });
  const { files } = await buildRelease({
    sources,
    engine,
    illustrate: async (view) => {
      drawn = await pictures(view);
      return [...(await illustrationData(view)), ...drawn];
    },
  });
  writeRelease({ dir: good, files, force: false });
});
afterAll(async () => {
  await engine.close();
  rmSync(dir, { recursive: true, force: true });
});

/** What a verification that draws again finds in a copy after a change, with every digest put right. */
async function verified(
  change: (at: (name: string) => string) => void,
  from = good,
  draw: VerifyOptions['draw'] = async () => drawn,
) {
  const copy = join(dir, 'copy');
  rmSync(copy, { recursive: true, force: true });
  cpSync(from, copy, { recursive: true });
  change((name) => join(copy, name));
  reseal(copy);
  const result = await verifyRelease({ dir: copy, engine, illustrate: illustrationData, draw });
  return { ...result, found: result.differences.map(differenceText) };
}

const edit = (name: string, change: (bytes: Buffer) => Buffer) => (at: (name: string) => string) => {
  const before = readFileSync(at(name));
  const after = change(before);
  expect(after.equals(before), name).toBe(false);
  writeFileSync(at(name), after);
};

const text = (change: (svg: string) => string) => (bytes: Buffer) => Buffer.from(change(bytes.toString('utf8')));
const latin1 = (change: (pdf: string) => string) => (bytes: Buffer) =>
  Buffer.from(change(bytes.toString('latin1')), 'latin1');

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function pixelsOf(bytes: Buffer): Pixels {
  const pixels = readPixels(bytes);
  if (typeof pixels === 'string') throw new Error(pixels);
  return pixels;
}

/** Writes a PNG without filters, after a change of its pixels, with chunks of one's own before its end. */
function repacked(bytes: Buffer, change: (rgba: Uint8Array) => void, ...extra: Buffer[]): Buffer {
  const { width, height, rgba } = pixelsOf(bytes);
  change(rgba);
  const stride = 4 * width;
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), rgba.subarray(y * stride, (y + 1) * stride)]),
  );
  const packed = chunk('IDAT', deflateSync(Buffer.concat(rows)));
  return Buffer.concat([bytes.subarray(0, 33), packed, ...extra, chunk('IEND', Buffer.alloc(0))]);
}

describe('the pictures of a release, drawn again', () => {
  it('are the same, and are counted', async () => {
    const result = await verified(() => undefined, good, pictures);
    expect(result).toMatchObject({ status: 'PASS', found: [] });
    expect(result.checked).toContainEqual({
      what: 'pictures drawn again: SVG and PDF by byte, PNG by pixel',
      count: 36,
    });
    expect(result.not_checked.filter(({ what }) => what === 'pictures')).toEqual([]);
  });

  it('are said not to have been drawn again where nobody asked', async () => {
    const result = await verifyRelease({ dir: good, engine, illustrate: illustrationData });
    expect(result.not_checked.filter(({ what }) => what === 'pictures')).toEqual([
      { what: 'pictures', count: 36, why: 'held against the manifest only: --figures draws them again' },
    ]);
    expect(result.status).toBe('PASS');
  });

  it('fail with figure and tag where a title says something else', async () => {
    const { found } = await verified(
      edit(
        'figures/forest.svg',
        text((svg) => svg.replace('>Scores with simultaneous', '>Scores without any')),
      ),
    );
    expect(found).toEqual([
      expect.stringMatching(
        /^figures\/forest\.svg: tag \d+: expected .*>Scores with simultaneous intervals", found .*>Scores without any/,
      ),
    ]);
  });

  it('fail where a bar was moved by a hundredth, a text was added at the end, or bytes are no UTF-8', async () => {
    const moved = await verified(
      edit(
        'figures/forest-dark.svg',
        text((svg) => svg.replace(/<circle cx="[\d.]+/, (tag) => `${tag}1`)),
      ),
    );
    expect(moved.found).toEqual([expect.stringMatching(/^figures\/forest-dark\.svg: tag \d+: expected "<circle cx=/)]);
    const longer = await verified(
      edit(
        'figures/pairs.svg',
        text((svg) => `${svg}<!-- best -->`),
      ),
    );
    expect(longer.found).toEqual([expect.stringMatching(/^figures\/pairs\.svg: tag \d+: expected "the end"/)]);
    const torn = await verified(
      edit(
        'figures/pairs.svg',
        latin1((svg) => svg.replace('</text>', '\xff</text>')),
      ),
    );
    expect(torn.found).toEqual([expect.stringMatching(/^figures\/pairs\.svg: tag \d+/)]);
  });

  it.each([
    ['of two figures', 'figures/forest.svg', 'figures/ranks.svg'],
    ['of two themes', 'figures/panels.png', 'figures/panels-dark.png'],
    ['in print', 'figures/families.pdf', 'figures/pairs.pdf'],
  ])('fail where two were swapped: %s', async (_, left, right) => {
    const { found } = await verified((at) => {
      renameSync(at(left), at('aside'));
      renameSync(at(right), at(left));
      renameSync(at('aside'), at(right));
    });
    expect(found.map((line) => line.split(': ')[0]).sort()).toEqual([left, right].sort());
  });

  it('fail where one is missing, and where there is one too many', async () => {
    const without = await verified((at) => rmSync(at('figures/pairs-dark.pdf')));
    expect(without.found).toEqual(['figures/pairs-dark.pdf: the file: expected a file, found none']);
    const more = await verified((at) => cpSync(at('figures/pairs.svg'), at('figures/pairs-2.svg')));
    expect(more.found).toEqual(['figures/pairs-2.svg: the file: expected no such file in a release, found a file']);
  });

  it('fail at the first pixel that has another colour', async () => {
    const { found } = await verified(
      edit('figures/forest.png', (bytes) => repacked(bytes, (rgba) => rgba.fill(0x12, 4 * 800 * 9, 4 * 800 * 9 + 1))),
    );
    const width = 793;
    const pixel = 800 * 9;
    const place = `pixel ${(pixel % width) + 1} of row ${Math.floor(pixel / width) + 1}`;
    expect(found).toEqual([`figures/forest.png: ${place}: expected #ffffffff, found #12ffffff`]);
  });

  it('pass with the same pixels from another encoder, which is said, but not with anything beside them', async () => {
    const same = await verified(edit('figures/forest.png', (bytes) => repacked(bytes, () => undefined)));
    expect(same.found).toEqual([]);
    expect(same.notes).toContain('1 PNG have the same pixels in other bytes: packed by another encoder');
    const said = chunk('tEXt', Buffer.from('Comment\0the best model is ours'));
    const more = await verified(edit('figures/forest.png', (bytes) => repacked(bytes, () => undefined, said)));
    expect(more.found).toEqual([expect.stringContaining('it has a chunk "tEXt", no part of the picture')]);
    const behind = await verified(edit('figures/forest.png', (bytes) => Buffer.concat([bytes, Buffer.from('more')])));
    expect(behind.found).toEqual([expect.stringContaining('it has 4 bytes behind its end')]);
    const cut = await verified(edit('figures/forest.png', (bytes) => bytes.subarray(0, 2000)));
    expect(cut.found).toEqual([expect.stringContaining('is cut off')]);
  });

  it('fail with figure and line where a PDF draws something else', async () => {
    const { found } = await verified(
      edit(
        'figures/ranks.pdf',
        latin1((pdf) => pdf.replace(/\n([\d.]+) ([\d.]+) m\n/, '\n9 9 m\n')),
      ),
    );
    expect(found).toEqual([
      expect.stringMatching(/^figures\/ranks\.pdf: line \d+: expected "[\d.]+ [\d.]+ m", found "9 9 m"/),
    ]);
  });
});

describe('the pictures of a release of version 0.1.0', () => {
  it('are compared as far as they are drawn alike, and the others are named, which is no failure', async () => {
    const old = 'fixtures/version-1/release';
    const data = await illustrationData(await openRelease(old));
    const { status, found, not_checked, checked } = await verified(
      (at) => {
        for (const folder of ['figures', 'tables']) mkdirSync(at(folder));
        // Pictures of another time under data of this release.
        for (const { name, bytes } of [...drawn, ...data]) writeFileSync(at(name), bytes);
      },
      old,
      async (view) => [...(await releaseFigures(view, { only: ['forest'], formats: ['svg'] })).files, drawn[6]!],
    );
    expect([status, found]).toEqual(['PASS', []]);
    expect(not_checked).toContainEqual({
      what: 'pictures',
      count: 2,
      why: 'drawn by version 0.1.0, whose rules are gone: figures/forest.svg, figures/forest-dark.svg',
    });
    expect(checked).toContainEqual({ what: 'pictures drawn again: SVG and PDF by byte, PNG by pixel', count: 1 });
  });
});

describe('the page of a release, made again', () => {
  const verify = (page: string) => cliInline(['release', 'verify', good, '--page', page]);

  it('is the same with its verification or without, which is said', async () => {
    const page = join(dir, 'page.html');
    await cliInline(['release', 'report', good, '--out', page]);
    expect(await verify(page)).toMatchObject({ code: 0, stdout: expect.stringContaining('1  page made again') });
    const bare = join(dir, 'bare.html');
    await cliInline(['release', 'report', good, '--no-verify', '--out', bare]);
    expect((await verify(bare)).stdout).toContain('bare.html states no verification');
  });

  it('fails where its program, a file in it or the verification it states is another', async () => {
    const page = readFileSync(join(dir, 'page.html'), 'utf8');
    const forged = async (change: (text: string) => string): Promise<string> => {
      const path = join(dir, 'forged.html');
      writeFileSync(path, change(page));
      const { code, stdout } = await verify(path);
      expect(code).toBe(4);
      return /FAIL: .*forged\.html: (.*)/.exec(stdout)?.[1] ?? stdout;
    };
    const given =
      (change: (held: { files: { name: string; gzip: string; size: number }[] }) => void) => (text: string) =>
        text.replace(/(id="given">)(.*?)(<\/script>)/, (_, before: string, json: string, after: string) => {
          const held = JSON.parse(json);
          change(held);
          return `${before}${JSON.stringify(held).replaceAll('<', '\\u003c')}${after}`;
        });
    expect(page.match(/id="given">/g)).toHaveLength(1);
    expect(await forged((text) => text.replace('<title>flavourbench', '<title>Great'))).toMatch(/^its program: /);
    const gzip = gzipSync('{}').toString('base64');
    expect(
      await forged(
        given(({ files }) => {
          files.find(({ name }) => name === 'inference.json')!.gzip = gzip;
        }),
      ),
    ).toMatch(/^the file inference\.json in it: .*another content/);
    expect(
      await forged(
        given(({ files }) => {
          files.push({ name: 'more.json', gzip, size: 2 });
        }),
      ),
    ).toMatch(/^its files: .*also more\.json/);
    expect(
      await forged(
        given((held) => {
          Object.assign(held, { verification: { status: 'PASS' } });
        }),
      ),
    ).toMatch(/^the verification that it states: /);
    expect(await forged(() => '<!doctype html><h1>Small</h1>')).toMatch(/^its program: .*release report/);
  });
});
