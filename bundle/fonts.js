/*
 * Keeps the font of figures, cut down to common letters, beside the module that reads it (src/draw/encode/font.ts): most figures need no other,
 * and packing it takes a second.
 */
import { writeFileSync } from 'node:fs';
import { fontSubset } from '../dist/draw/encode/font.js';

for (const weight of [400, 600]) writeFileSync(`dist/draw/encode/font-${weight}.woff2`, await fontSubset(weight, ''));
