import { describe, expect, it } from 'vitest';
import { outTarget } from '../../src/cli/out-target.js';
import { resultPage } from '../../src/cli/result-page.js';

describe('the page of a result', () => {
  const hostile = '</td><script>alert(1)</script>"&\u202e';

  it('holds every text as text, allows nothing to run, and loads nothing', async () => {
    const page = await resultPage({
      title: hostile,
      words: [hostile],
      notes: [hostile],
      figure: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
      columns: [
        { name: hostile, kind: 'text', values: [hostile, null] },
        { name: 'score', kind: 'float64', values: [1 / 3, 2] },
      ],
      read: hostile,
      resultsSha256: 'ab',
    });
    expect(page).not.toContain('<script');
    expect(page).not.toContain('\u202e');
    expect(page.match(/&lt;script&gt;/g)!.length).toBeGreaterThanOrEqual(6);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/script-src|src="http|href=/);
    expect(page).toContain('>0.333333<');
    expect(page).toContain('<td class=""></td>');
  });

  it('shows the first two thousand rows, and says that there are more', async () => {
    const values = Array.from({ length: 2500 }, (_, k) => k);
    const empty = { title: 't', words: [], notes: [], figure: '<svg></svg>', resultsSha256: '' };
    const page = await resultPage({ ...empty, columns: [{ name: 'k', kind: 'int32', values }] });
    expect(page).toContain('The first 2,000 of 2,500 rows');
    expect(page.match(/<tr>/g)).toHaveLength(2001);
  });
});

describe('what --out names', () => {
  it('is one file where it ends as a form does, else a folder, and no other kind of file', () => {
    expect(outTarget('x/report.HTML')).toEqual({ file: 'x/report.HTML', form: 'html' });
    expect(outTarget('page.htm')).toEqual({ file: 'page.htm', form: 'html' });
    expect(outTarget('results')).toEqual({ folder: 'results' });
    expect(outTarget('results.2026-05')).toEqual({ folder: 'results.2026-05' });
    expect(outTarget('tables.csv/')).toEqual({ folder: 'tables.csv/' });
    expect(() => outTarget('paper.pdf')).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
