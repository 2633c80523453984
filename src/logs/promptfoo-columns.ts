import { isObject, type JsonObject } from '../io/json.js';
import { type ErrorPlace, fail } from '../util/error.js';
import { joinedKey, joinedNames } from '../util/joined.js';
import { dataText } from '../util/text.js';

/**
 * Names the model of each row: its provider; with its prompt where some test was put under several prompts to one provider; with its column
 * where one provider stands there twice with other settings. Errors: SCHEMA_INVALID for a row without a provider.
 */
export function promptfooColumns(
  rows: readonly { readonly row: JsonObject; readonly place: ErrorPlace }[],
  tests: readonly string[],
): string[] {
  const providers = rows.map(({ row, place }) => {
    const name = providerOf(row);
    if (name === '')
      fail('SCHEMA_INVALID', place, 'a provider expected', 'Give the file as `promptfoo eval --output` wrote it.');
    return name;
  });
  const prompts = rows.map(({ row }) => promptOf(row));
  const columns = rows.map(({ row }) => (typeof row.promptIdx === 'number' ? String(row.promptIdx) : ''));
  const several = isSeveral(providers.map((provider, i) => [joinedKey(provider, tests[i]!), prompts[i]!]));
  const named = several
    ? joinedNames(
        providers.map((provider, i) => [provider, prompts[i]!]),
        ' | ',
      )
    : providers;
  const twice = severalOf(named.map((name, i) => [joinedKey(name, prompts[i]!), columns[i]!]));
  return named.map((name, i) =>
    twice.has(joinedKey(name, prompts[i]!)) ? `${name} (column ${Number(columns[i]) + 1})` : name,
  );
}

/** Keys that stand with several values. */
function severalOf(pairs: readonly (readonly [string, string])[]): Set<string> {
  const first = new Map<string, string>();
  const several = new Set<string>();
  for (const [key, value] of pairs) {
    const known = first.get(key);
    if (known === undefined) first.set(key, value);
    else if (known !== value) several.add(key);
  }
  return several;
}

const isSeveral = (pairs: readonly (readonly [string, string])[]) => severalOf(pairs).size > 0;

function providerOf({ provider }: JsonObject): string {
  if (isObject(provider)) return dataText(provider.label || provider.id || '');
  return typeof provider === 'string' ? provider : '';
}

/** The prompt before variables were put into it. */
function promptOf(row: JsonObject): string {
  const { prompt } = row;
  if (isObject(prompt)) return dataText(prompt.label ?? prompt.display ?? row.promptId ?? prompt.raw ?? '');
  return typeof prompt === 'string' ? prompt : dataText(row.promptId ?? '');
}
