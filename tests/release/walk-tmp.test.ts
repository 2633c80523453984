import { writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { forgedWorld } from '../support/forged-world.js';
import { releaseLeaves, walkSingly, walkTogether, type Leaf, type Walk } from '../support/leaf-walk.js';
it('walk', async () => {
  let t0 = Date.now(); const out: string[] = [];
  const lap = (s: string) => { out.push(`${s} ${Date.now() - t0} cpu ${Math.round(process.cpuUsage().user / 1000)}`); writeFileSync('/tmp/vv/walk.log', out.join('\n')); };
  const w = await forgedWorld(); lap('world');
  const verify = async (f: never) => (await w.found(f)).differences;
  const leaves = await releaseLeaves(w.files); 
  const by = new Map<string, Leaf[]>(); for (const l of leaves) by.set(l.file, [...(by.get(l.file) ?? []), l]);
  const walk: Walk = { caught: 0, passed: new Map(), sealed: 0 };
  for (const [file, own] of by) {
    let left: readonly Leaf[] = own;
    const before = walk.passed.size;
    if (!/jsonl|tasks|plan/.test(file)) {
      left = await walkTogether(w.files, left, verify as never, walk);
      for (const key of [(l: Leaf) => l.at.split(/[.[]/)[0]!, (l: Leaf) => l.at.replace(/\[\d+\]/g, '[]')]) {
        if (left.length < 3) continue;
        const groups = new Map<string, Leaf[]>(); for (const l of left) groups.set(key(l), [...(groups.get(key(l)) ?? []), l]);
        if (groups.size > left.length / 2) continue;
        left = (await Promise.all([...groups.values()].map(async (g) => g.length === 1 ? g : walkTogether(w.files, g, verify as never, walk)))).flat();
      }
    }
    const n = left.length;
    await walkSingly(w.files, left, verify as never, walk);
    lap(`${file}: ${own.length} leaves, ${n} singly; passed ${[...walk.passed.keys()].slice(before).join(' | ')}`);
  }
  lap(`end ${walk.caught} ${walk.passed.size} ${walk.sealed}`);
  await w.close();
}, 3000000);
