import { describe, expect, it } from 'vitest';
import { readScoreText, refusal } from '../support/score-text.js';

/** Three models and three tasks, as every print below has them. */
const VALUES = [1, 1, 1, 0, 1, 0, 0, 0, 1];

const PRINTS: Readonly<Record<string, string>> = {
  'Markdown, with prose around it': `# Results

Some words about them.

| Model | q1 | q2 | q3 |
|:------|---:|---:|:--:|
| **large** | **1** | 1 | 1 |
| [small](https://example.org/small) | 0 | 1 | 0 |
| \`tiny\` | 0 | 0 | 1 |

More words.
`,
  'Markdown without bars at its ends':
    'model | q1 | q2 | q3\n--- | --- | --- | ---\nlarge|1|1|1\nsmall|0|1|0\ntiny|0|0|1\n',
  'Markdown with one dash a column': '|model|q1|q2|q3|\n|-|:-:|-:|-|\n|large|1|1|1|\n|small|0|1|0|\n|tiny|0|0|1|\n',
  DuckDB: `┌─────────┬───────┬───────┬───────┐
│  model  │  q1   │  q2   │  q3   │
│ varchar │ int64 │ int64 │ int64 │
├─────────┼───────┼───────┼───────┤
│ large   │     1 │     1 │     1 │
│ small   │     0 │     1 │     0 │
│ tiny    │     0 │     0 │     1 │
├─────────┴───────┴───────┴───────┤
│ 3 rows                4 columns │
└─────────────────────────────────┘
`,
  polars: `shape: (3, 4)
┌───────┬─────┬─────┬─────┐
│ model ┆ q1  ┆ q2  ┆ q3  │
│ ---   ┆ --- ┆ --- ┆ --- │
│ str   ┆ i64 ┆ i64 ┆ i64 │
╞═══════╪═════╪═════╪═════╡
│ large ┆ 1   ┆ 1   ┆ 1   │
│ small ┆ 0   ┆ 1   ┆ 0   │
│ tiny  ┆ 0   ┆ 0   ┆ 1   │
└───────┴─────┴─────┴─────┘
`,
  psql: ` model | q1 | q2 | q3 
-------+----+----+----
 large |  1 |  1 |  1
 small |  0 |  1 |  0
 tiny  |  0 |  0 |  1
(3 rows)
`,
  MySQL: `+-------+----+----+----+
| model | q1 | q2 | q3 |
+-------+----+----+----+
| large |  1 |  1 |  1 |
| small |  0 |  1 |  0 |
| tiny  |  0 |  0 |  1 |
+-------+----+----+----+
3 rows in set (0.00 sec)
`,
  LaTeX: `\\begin{table}
\\begin{tabular}{lrrr} % a comment & more \\\\
\\toprule
Model & q1 & q2 & q3 \\\\ \\midrule
large~\\cite{a} & \\textbf{1} & $1$ & \\underline{\\textbf{1}} \\\\
small & 0 &
1 & 0 \\\\[2pt]
tiny & 0 & 0 & 1 \\\\
\\bottomrule
\\end{tabular}
\\end{table}
`,
  'pandas, rows counted': '   model  q1  q2  q3\n0  large   1   1   1\n1  small   0   1   0\n2   tiny   0   0   1\n',
  'pandas, an index with a name':
    '       q1  q2  q3\nmodel            \nlarge   1   1   1\nsmall   0   1   0\ntiny    0   0   1\n',
  'pandas, columns and an index with names':
    'task   q1  q2  q3\nmodel            \nlarge   1   1   1\nsmall   0   1   0\ntiny    0   0   1\n',
  'R, names of rows': '      q1 q2 q3\nlarge  1  1  1\nsmall  0  1  0\ntiny   0  0  1\n',
  'R, write.table': '"model" "q1" "q2" "q3"\n"1" "large" 1 1 1\n"2" "small" 0 1 0\n"3" "tiny" 0 0 1\n',
  'R, a tibble':
    '# A tibble: 3 × 4\n  model    q1    q2    q3\n  <chr> <dbl> <dbl> <dbl>\n1 large     1     1     1\n2 small     0     1     0\n3 tiny      0     0     1\n',
  'SQLite, columns': 'model  q1  q2  q3\n-----  --  --  --\nlarge  1   1   1 \nsmall  0   1   0 \ntiny   0   0   1 \n',
};

describe('a table that a program printed', () => {
  it.each(Object.entries(PRINTS))('is read as it is meant: %s', async (_, text) => {
    const { matrix } = await readScoreText(text);
    expect([matrix.models, matrix.tasks]).toEqual([
      ['large', 'small', 'tiny'],
      ['q1', 'q2', 'q3'],
    ]);
    expect([...matrix.values]).toEqual(VALUES);
  });

  it('keeps names with blanks, percent signs and escaped characters', async () => {
    const wide = await readScoreText('      model  q1  q2\n0    GPT 4o   1   0\n1  Llama 3   0   1\n');
    expect(wide.matrix.models).toEqual(['GPT 4o', 'Llama 3']);
    const quoted = await readScoreText('"model" "q1"  "q2"\n"GPT \\"4\\"" 1 0\n"b c" 0 1\n');
    expect(quoted.matrix.models).toEqual(['GPT "4"', 'b c']);
    const tex = await readScoreText('Model & A\\_1 & B \\\\ \\hline\nx\\&y & 81.2\\% & 7\\% \\\\\nz & -- & 8\\% \\\\', {
      missing: 'common-tasks',
    });
    expect([tex.matrix.models, tex.matrix.tasks, [...tex.matrix.values]]).toEqual([['x&y', 'z'], ['B'], [70, 80]]);
    const bar = await readScoreText('| model | a | b |\n|---|---|---|\n| x\\|y | 1 | 0 |\n| z | 0 | 1 |\n');
    expect(bar.matrix.models).toEqual(['x|y', 'z']);
  });

  it('says what it was read as', async () => {
    const { reading } = await readScoreText(PRINTS.DuckDB!);
    expect(reading.text).toBe('3 models x 3 tasks, 0 and 1, from model / q1, q2, q3; read as a table in a box');
  });

  it('has its errors on the lines of the print', async () => {
    const { message } = await refusal(PRINTS.DuckDB!.replace('│ small   │     0', '│ small   │  high'));
    expect(message).toContain('x.csv, line 6: column "q1" is "high"');
  });

  it.each([
    [
      'polars leaves rows out',
      PRINTS.polars!.replace('│ small ┆ 0   ┆ 1   ┆ 0   │', '│ …     ┆ …   ┆ …   ┆ …   │'),
      'leaves rows or columns out',
    ],
    ['DuckDB leaves rows out', PRINTS.DuckDB!.replace('3 rows  ', '90 rows (3 shown)'), 'leaves rows or columns out'],
    [
      'pandas leaves columns out',
      '    model  q1  ...  q9\n0   large   1  ...   1\n1   small   0  ...   1\n\n[2 rows x 10 columns]\n',
      'leaves rows or columns out',
    ],
    [
      'a tibble leaves columns out',
      `${PRINTS['R, a tibble']}# ℹ 4 more variables: q4 <dbl>\n`,
      'leaves rows or columns out',
    ],
    [
      'pandas goes over the line',
      '   model  q1  \\\n0  large   1   \n1  small   0   \n\n   q2\n0   1\n1   1\n',
      'goes over the line',
    ],
    [
      'two tables of Markdown',
      `${PRINTS['Markdown, with prose around it']}${PRINTS['Markdown, with prose around it']}`,
      'more than one table',
    ],
    [
      'cells of LaTeX that span others',
      'a & \\multicolumn{2}{c}{b} \\\\\nx & 1 & 0 \\\\\ny & 0 & 1 \\\\',
      '\\multicolumn',
    ],
    ['a cell past its column', 'model  q1\n-----  --\nlarger names  1\nsmall  0\n', 'longer than its column'],
  ])('is refused with its true cause where %s', async (_, text, cause) => {
    const error = await refusal(text);
    expect([error.code, error.message]).toEqual(['FORMAT_UNKNOWN', expect.stringContaining(cause)]);
    expect(error.hint).toContain('write.csv(');
  });

  it('is none where a column of names may be two words: nothing is guessed', async () => {
    const error = await refusal('model q1 q2\nGPT 4o 1 0\nLlama 3 0 1\n');
    expect(error.code).toBe('SCHEMA_INVALID');
  });

  it('is not seen in tables that other things separate', async () => {
    const bars = await readScoreText('model|q1|q2\n-|-|1\nb|1|0\n', { missing: 'common-tasks' });
    expect(bars.matrix.models).toEqual(['-', 'b']);
    const amp = await readScoreText('model,q1 & q2,q3\na & b,1,0\nc\\\\,0,1\n');
    expect(amp.matrix.tasks).toEqual(['q1 & q2', 'q3']);
  });

  it('is looked for in one pass over a line of bars, or of two dashes and no bar', async () => {
    for (const name of ['|'.repeat(16_000), `${'--'.repeat(8_000)}x`]) {
      const { matrix } = await readScoreText(`model,q1,q2\n${name},1,0\nb,0,1\n`);
      expect(matrix.models).toEqual([name, 'b']);
    }
  });

  it('takes linear time whatever its lines hold', async () => {
    const started = performance.now();
    for (const line of ['&\\', 'a&', '\\\\[', '\\cite[', '|-', '|', '--', '"', ' \\', '{', '*', '- -', '.'])
      await refusal(`${line.repeat(200_000)}\n${line.repeat(200_000)}\\\\\n`).catch(() => undefined);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('a cell without content at the end of a row', () => {
  it('is missing where rows are open, as those of psql are, and no frame', async () => {
    const open = ' model | q1 | q2 \n-------+----+----\n a     |  1 |  0\n b     |  0 |   \n';
    const { gaps, matrix } = await readScoreText(open, { missing: 'bounds' });
    expect([matrix.models, matrix.tasks, gaps === undefined]).toEqual([['a', 'b'], ['q1', 'q2'], false]);
    const framed = '| model | q1 | q2 |\n|-------|----|----|\n| a | 1 | 0 |\n| b | 0 |   |\n';
    expect((await readScoreText(framed, { missing: 'bounds' })).matrix.tasks).toEqual(['q1', 'q2']);
  });
});
