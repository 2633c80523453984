import { counted } from '../util/format.js';
import { isObject } from './json.js';

/** Keys that a description lists. */
const LISTED = 6;

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** How deep lists and objects stand in one another; 0 for a plain value. */
function depthOf(value: unknown): number {
  let level: unknown[] = [value];
  let depth = 0;
  for (;;) {
    const next: unknown[] = [];
    let nested = false;
    for (const item of level)
      if (typeof item === 'object' && item !== null) {
        nested = true;
        for (const part of Array.isArray(item) ? item : Object.values(item))
          if (typeof part === 'object' && part !== null) next.push(part);
      }
    if (!nested) return depth;
    depth += 1;
    level = next;
  }
}

/**
 * Says what a JSON value is, for somebody who wonders why it is not read: `an object of 3 keys (config, results, version), 4 levels deep;
 * results is a list of 120`.
 */
export function jsonShape(value: unknown): string {
  if (typeof value !== 'object' || value === null) return kindOf(value);
  const depth = depthOf(value);
  const levels = `${counted(depth, 'level')} deep`;
  if (Array.isArray(value)) {
    const kinds = [...new Set(value.slice(0, 1000).map(kindOf))];
    return value.length === 0
      ? 'an empty list'
      : `a list of ${value.length}, of which ${kinds.length === 1 ? 'each' : 'one'} is ${kinds.slice(0, 3).join(' or ')}, ${levels}`;
  }
  const keys = Object.keys(value);
  const listed = keys.slice(0, LISTED).map((key) => (key.length > 40 ? `${key.slice(0, 37)}...` : key));
  const more = keys.length > LISTED ? ', ...' : '';
  const parts = Object.entries(value)
    .filter(([, part]) => Array.isArray(part) || isObject(part))
    .slice(0, 3)
    .map(
      ([key, part]) =>
        `${key} is ${Array.isArray(part) ? `a list of ${part.length}` : `an object of ${counted(Object.keys(part as object).length, 'key')}`}`,
    );
  const object =
    keys.length === 0
      ? 'an empty object'
      : `an object of ${counted(keys.length, 'key')} (${listed.join(', ')}${more}), ${levels}`;
  return [object, ...(parts.length > 0 ? [parts.join(', ')] : [])].join('; ');
}
