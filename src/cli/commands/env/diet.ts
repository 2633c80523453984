import type { Command } from 'commander';
import { allCategoriesDiffer, dietMisses } from '../../../environment/diet.js';
import { findPairings } from '../../../environment/pairings.js';
import { fixed } from '../../../util/format.js';
import { printLine, printTable } from '../../print.js';
import { dietRule, opened, type QueryFlags, round4, scored } from './opened.js';

type DietFlags = QueryFlags & { readonly diet?: string; readonly maxNova?: string };

/** Adds a question about an environment. */
export type NewQuery = (usage: string, description: string) => Command;

/** Adds `env feasible | pairings`: the questions that a diet limits. */
export function registerDiets(query: NewQuery): void {
  query('feasible <env> <ingredients...>', 'Which ingredients meet a diet and a NOVA limit.')
    .option('--diet <diet>', 'vegan or vegetarian')
    .option('--max-nova <level>', 'highest NOVA level, 1 to 4')
    .action(async (name: string, ingredients: string[], flags: DietFlags) => {
      const open = await opened(name, flags);
      const rule = dietRule(flags);
      const rows = ingredients.map((each) => open.row(each));
      const list = rows.map((row) => {
        const misses = dietMisses(open.environment, row, rule);
        return { name: open.environment.names[row]!, feasible: misses.length === 0, misses };
      });
      const feasible = list.every((each) => each.feasible);
      const categories = allCategoriesDiffer(open.environment, rows);
      open.result({ rule, feasible, categoriesDiffer: categories, ingredients: list }, () => {
        printTable(
          ['ingredient', 'feasible', 'why not'],
          list.map((each) => [each.name, each.feasible ? 'yes' : 'no', each.misses.join(', ')]),
        );
        printLine(
          `portfolio ${feasible ? 'feasible' : 'not feasible'}; categories ${categories ? 'all differ' : 'repeat'}`,
        );
      });
    });

  query('pairings <env> <ingredients...>', 'Partners for one or more ingredients, and partners of those.')
    .option('--diet <diet>', 'vegan or vegetarian')
    .option('--max-nova <level>', 'highest NOVA level, 1 to 4')
    .action(async (name: string, ingredients: string[], flags: DietFlags) => {
      const open = await opened(name, flags);
      const seeds = [...new Set(ingredients.map((each) => open.row(each)))];
      const found = findPairings(open.environment, { seeds, rule: dietRule(flags) });
      const facts = {
        primaries: found.primaries.map(({ name: primary, value, secondaries }) => ({
          name: primary,
          value: round4(value),
          secondaries: scored(secondaries),
        })),
        clusters: found.clusters,
        bridges: found.bridges,
      };
      open.result(facts, () => {
        printTable(
          ['partner', 'score', 'goes on with'],
          found.primaries.map((each) => [
            each.name,
            fixed(each.value, 4),
            each.secondaries.map((second) => second.name).join(', '),
          ]),
        );
        for (const cluster of found.clusters) printLine(`group: ${cluster.join(', ')}`);
        printLine(`bridges: ${found.bridges.join(', ') || 'none'}`);
      });
    });
}
