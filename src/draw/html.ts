import { CONTROLS } from '../util/text.js';

/** Markup that is safe to put into a page as it stands. */
export interface Html {
  readonly html: string;
}

const ENTITY: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Makes a text harmless in markup. Control characters and marks that turn its direction become spaces; line ends and tabs stay. */
export function escapeHtml(text: string): string {
  return text.replace(CONTROLS, (c) => (/[\t\n\r]/.test(c) ? c : ' ')).replace(/[&<>"']/g, (c) => ENTITY[c]!);
}

type Part = Html | string | number | null | readonly Part[];

function rendered(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(rendered).join('');
}

/** Writes markup with every inserted text escaped; only `Html` goes in as it is. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    html: strings.reduce((out, text, i) => out + rendered(parts[i - 1] as Part) + text),
  };
}
