import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScores } from '../../src/scores/score-paths.js';

let dir: string;
const at = (name: string) => join(dir, name);
const TABLE = 'model,t,u\na,1,0\nb,0,1\n';
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'score-paths-'));
  writeFileSync(at('x.csv'), TABLE);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('paths of scores', () => {
  it('may be links', async () => {
    symlinkSync(at('x.csv'), at('link.csv'));
    const { matrix, inputs } = await readScores([at('link.csv')]);
    expect([...matrix.values]).toEqual([1, 0, 0, 1]);
    expect(inputs).toMatchObject([{ role: 'scores', bytes: TABLE.length }]);
  });

  it('may be a pipe', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const writer = spawn('sh', ['-c', `cat '${at('x.csv')}' > '${at('pipe')}'`], { stdio: 'ignore' });
    expect([...(await readScores([at('pipe')])).matrix.values]).toEqual([1, 0, 0, 1]);
    writer.kill();
  });

  it('are refused where nothing stands', async () => {
    await expect(readScores([at('none.csv')])).rejects.toMatchObject({ code: 'INPUT_NOT_FOUND' });
    await expect(readScores([])).rejects.toMatchObject({ code: 'USAGE' });
  });

  it('go with files of labels and of names', async () => {
    writeFileSync(at('clusters.csv'), 'task,cluster\nt,c\nu,c\n');
    const { matrix, inputs } = await readScores([at('x.csv')], { clusters: at('clusters.csv') });
    expect(matrix.clusters).toEqual(['c', 'c']);
    expect(inputs.map(({ role }) => role)).toEqual(['scores', 'clusters']);
  });
});
