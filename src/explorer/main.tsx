import { render } from 'preact';
import { App } from './app.js';
import { FONT_RULES } from './figure-font.js';
import { readGiven } from './given.js';
import './style.css';

// Figures are images with the font inside; the page itself is set in the same one.
for (const [, weight, source] of FONT_RULES.matchAll(/font-weight:(\d+);src:(url\([^)]+\))/g))
  document.fonts.add(new FontFace('IBM Plex Sans', source!, { weight: weight! }));

const place = document.getElementById('app')!;
place.replaceChildren();
render(<App given={readGiven()} />, place);
