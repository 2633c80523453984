import { createHash } from 'node:crypto';
import type { PantryRecipe } from './recipe.js';

/** The fixed direction of a fact: `dims` numbers, each 1 or -1. */
export type Directions = (fact: string) => Float64Array;

/** Directions are the bits of SHA-256(version, fact, block), lowest bit of a byte first; each is formed once. */
export function hashedDirections({ version, dims }: PantryRecipe): Directions {
  const known = new Map<string, Float64Array>();
  return (fact) => {
    const found = known.get(fact);
    if (found) return found;
    const out = new Float64Array(dims);
    for (let block = 0; block * 256 < dims; block += 1) {
      const bytes = createHash('sha256').update(`${version}\0${fact}\0${block}`).digest();
      const end = Math.min(dims - block * 256, 256);
      for (let bit = 0; bit < end; bit += 1) out[block * 256 + bit] = (bytes[bit >> 3]! >> (bit & 7)) & 1 ? 1 : -1;
    }
    known.set(fact, out);
    return out;
  };
}

/** Adds `weight` times a direction to a vector. */
export function addScaled(vector: Float64Array, direction: Float64Array, weight: number): void {
  for (let j = 0; j < vector.length; j += 1) vector[j]! += weight * direction[j]!;
}

/** Scales a vector to the length of a direction, the root of its width; zeros stay zeros. */
export function levelled(vector: Float64Array): Float64Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares === 0 ? 0 : Math.sqrt(vector.length) / Math.sqrt(squares);
  return vector.map((value) => value * scale);
}
