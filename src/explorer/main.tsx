import { render } from 'preact';
import { App } from './app.js';
import { readGiven } from './given.js';
import './style.css';

const place = document.getElementById('app')!;
place.replaceChildren();
render(<App given={readGiven()} />, place);
