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

/** Control characters, and marks that turn the direction of a text, become spaces; line ends and tabs stay. */
const UNSAFE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function escapeHtml(text: string): string {
  return text.replace(UNSAFE, ' ').replace(/[&<>"']/g, (c) => ENTITY[c]!);
}

type Part = Html | string | number | null | readonly Part[];

function rendered(part: Part): string {
  if (part === null) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  return 'html' in part ? part.html : part.map(rendered).join('');
}

/** Markup with every inserted text escaped; only `Html` goes in as it is. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return {
    html: strings.reduce((out, text, i) => out + rendered(parts[i - 1] as Part) + text),
  };
}
