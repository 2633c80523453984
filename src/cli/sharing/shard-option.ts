import { Option } from 'commander';
import { fail, shown } from '../../util/error.js';
import { MOST_SHARDS, type Shard } from '../../util/shard.js';

/** Reads `2/8`. Errors: USAGE. */
function shardOf(text: string): Shard {
  const found = /^(\d{1,6})\/(\d{1,6})$/.exec(text);
  const [index, count] = [Number(found?.[1]), Number(found?.[2])];
  if (found !== null && index >= 1 && index <= count && count <= MOST_SHARDS) return { index, count };
  fail('USAGE', null, `--shard is ${shown(text)}; I/N is expected, with I from 1 to N, as 2/8`);
}

/** Makes the option `--shard` of a command whose work is shared among processes that know nothing of each other. */
export function shardOption(): Option {
  return new Option(
    '--shard <i/n>',
    'do one of n shares of the work; `flavourbench merge` puts them together',
  ).argParser(shardOf);
}
