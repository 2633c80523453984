import { closestMode, culturalProfile } from '../../../environment/axes.js';
import { CUISINES } from '../../../environment/environment.js';
import { plain, printLine, printTable } from '../../print.js';
import { isFood, type Opened, round4, thingsOf } from './opened.js';

/** Prints `env show NAME`: what an environment holds. */
export function showEnvironment(opened: Opened): void {
  const { environment } = opened;
  const { identity, names, dims, tags, directions, variants } = environment;
  const categories = new Map<string, number>();
  const tagged = (tags ?? []).filter((tag) => tag !== null);
  for (const { category } of tagged) categories.set(category, (categories.get(category) ?? 0) + 1);
  const sources = new Map<string, string[]>();
  for (const [name, { source }] of directions) {
    const list = sources.get(source) ?? [];
    list.push(name);
    sources.set(source, list);
  }
  const things = thingsOf(environment);
  const diet = {
    vegetarian: tagged.filter((tag) => tag.vegetarian).length,
    vegan: tagged.filter((tag) => tag.vegan).length,
    nova: tagged.filter((tag) => tag.nova !== null).length,
  };
  const facts = {
    kind: identity.kind,
    files: identity.files,
    [things]: names.length,
    dims,
    variants: variants.size,
    tags:
      tags === null
        ? null
        : {
            categories: Object.fromEntries(categories),
            ...(tagged.length < names.length ? { tagged: tagged.length } : {}),
            ...(isFood(environment) ? diet : {}),
          },
    directions: Object.fromEntries(sources),
  };
  opened.result(facts, () => {
    printLine(`${environment.name}: ${identity.kind}, ${names.length} ${things} x ${dims}`);
    printLine(`identity ${identity.sha256}`);
    printTable(
      ['file', 'bytes', 'sha256'],
      identity.files.map(({ path, bytes, sha256 }) => [path, bytes, sha256]),
    );
    if (tags === null) printLine('no tag table');
    else {
      if (tagged.length < names.length) printLine(`tags for ${tagged.length} of ${names.length} ${things}`);
      if (isFood(environment))
        printLine(`tags: ${diet.vegetarian} vegetarian, ${diet.vegan} vegan, ${diet.nova} with a NOVA level`);
      printTable(
        ['category', things],
        [...categories].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)),
      );
    }
    if (variants.size > 0) printLine(`${variants.size} other spellings`);
    for (const [source, list] of sources)
      printLine(plain(`${list.length} directions from ${source}: ${list.join(', ')}`));
  });
}

/** Prints `env show NAME INGREDIENT`: one row's tags, its largest cuisine and its mode, where there are such. */
export function showIngredient(opened: Opened, row: number): void {
  const { environment } = opened;
  const tags = environment.tags?.[row] ?? null;
  const hasCuisines = CUISINES.some((cuisine) => environment.directions.has(cuisine));
  const cuisine = hasCuisines ? culturalProfile(environment, row)[0]! : null;
  const mode = closestMode(environment, row);
  const name = environment.names[row]!;
  const facts = {
    [isFood(environment) ? 'ingredient' : 'item']: name,
    row,
    tags: tags && !isFood(environment) ? { category: tags.category } : tags,
    cuisine: cuisine && { name: cuisine.cuisine, value: round4(cuisine.value) },
    mode: mode && { name: mode.name, value: round4(mode.value) },
  };
  opened.result(facts, () => {
    printLine(`${name} (row ${row})`);
    if (tags && !isFood(environment)) printLine(plain(`  ${tags.category}`));
    else if (tags) {
      const diet = tags.vegan ? 'vegan' : tags.vegetarian ? 'vegetarian' : 'not vegetarian';
      printLine(plain(`  ${tags.category}, ${tags.region || 'no region'}, ${diet}, NOVA ${tags.nova ?? 'unknown'}`));
    }
    if (cuisine) printLine(`  strongest cuisine ${cuisine.cuisine} ${round4(cuisine.value)}`);
    if (mode) printLine(`  closest mode ${mode.name} ${round4(mode.value)}`);
  });
}
