/*
 * Builds the explorer (src/explorer) into one page, `dist/explorer/page.html`: script and styles are in it, and it loads nothing. Whoever
 * writes a page about data puts them at the end of its body (src/cli/explorer-page.ts). Its policy allows what it holds, by digests.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { build } from 'vite';
import { fontRules as fontRulesOf } from '../dist/draw/encode/font.js';
import { insideModules } from './inside.js';

/** Letters that the page and its figures are set in, by first and last: Latin, Greek, Cyrillic, punctuation. Every subset has ASCII; others a machine has or lacks. */
const LETTERS = [
  [0xa0, 0x17f],
  [0x370, 0x45f],
  [0x2010, 0x203a],
]
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, k) => String.fromCharCode(first + k)))
  .concat([...'€™→←↑↓≤≥≈≠√∞'])
  .join('');

const fontRules = `const rules = ${JSON.stringify(await fontRulesOf(LETTERS))}; export const FONT_RULES = rules;`;
const modules = Object.entries({ ...(await insideModules()), 'explorer/figure-font': fontRules });
const inside = {
  name: 'inside',
  enforce: 'pre',
  load: (id) => modules.find(([end]) => id.replaceAll('\\', '/').endsWith(`/src/${end}.ts`))?.[1],
};

const { output } = await build({
  configFile: false,
  root: resolve('src/explorer'),
  logLevel: 'error',
  plugins: [inside],
  resolve: { alias: { '#platform': resolve('src/io/platform-web.ts'), linkedom: resolve('src/explorer/page-document.ts') } },
  build: {
    write: false,
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 4000,
    rolldownOptions: { output: { codeSplitting: false } },
  },
});

const [script] = output.filter(({ type }) => type === 'chunk');
const style = output.find(({ fileName }) => fileName.endsWith('.css'));
const sha = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
// A thread runs the script again as no module: a page from disk may start no others. So nothing in it may ask where it lies.
const placeless = script.code.replaceAll('import.meta.resolve', 'undefined').replaceAll('import.meta.url', 'location.href');
if (placeless.includes('import.meta')) throw new Error('the script of the explorer asks where it lies');
// `</script` and `<!--` end or change a script wherever they stand in it.
const code = `${placeless.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}\n`;
const css = `${style.source}\n`;
const policy = [
  "default-src 'none'",
  `script-src ${sha(code)} 'wasm-unsafe-eval'`,
  `style-src ${sha(css)}`,
  'img-src data:',
  'font-src data:',
  'worker-src blob:',
  // A decoder of Zstandard reads its own code from a data address, which leads nowhere.
  "connect-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
const page = readFileSync('src/explorer/index.html', 'utf8')
  .replace('<meta name="viewport"', () => `<meta http-equiv="Content-Security-Policy" content="${policy}">\n<meta name="viewport"`)
  .replace('</head>', () => `<style>${css}</style>\n</head>`)
  .replace('<script type="module" src="main.tsx"></script>', () => `<!--given-->\n<script type="module">${code}</script>`);
mkdirSync('dist/explorer', { recursive: true });
writeFileSync('dist/explorer/page.html', page);
