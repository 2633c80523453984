import { render } from 'preact';
import { App } from './app.js';
import { FONT_RULES } from './figure-font.js';
import { readGiven } from './given.js';
import { serveAsks } from './work/serve-asks.js';
import './style/page.css';
import './style/controls.css';
import './style/tables.css';
import './style/marks.css';
import './style/notices.css';
import './style/tasks.css';
import './style/media.css';

/** The same script is the page and, where there is no document, the thread that computes for it. */
if (typeof document === 'undefined') serveAsks(globalThis as unknown as Parameters<typeof serveAsks>[0]);
else {
  // Figures are images with the font inside; the page itself is set in the same one.
  for (const [, weight, source] of FONT_RULES.matchAll(/font-weight:(\d+);src:(url\([^)]+\))/g))
    document.fonts.add(new FontFace('IBM Plex Sans', source!, { weight: weight! }));
  const place = document.getElementById('app')!;
  place.replaceChildren();
  render(<App given={readGiven()} />, place);
}
