import type { Command } from 'commander';
import { compareOnAxis, culturalProfile, flavourCorrelations, onFactor } from '../../../environment/axes.js';
import { morph, paretoNavigate } from '../../../environment/morph.js';
import { neighbours, pairingScore } from '../../../environment/similarity.js';
import { fail } from '../../../util/error.js';
import { fixed } from '../../../util/format.js';
import { withArguments } from '../../help.js';
import { printLine, printTable } from '../../print.js';
import { type NewQuery, registerDiets } from './diet.js';
import { countIn, numberIn, opened, printScored, type QueryFlags, round4, scored } from './opened.js';
import { showEnvironment, showIngredient } from './show.js';

type CountFlags = QueryFlags & { readonly count: string };

const NAME = 'ingredient, as people write it: names are matched';
const WORDS = {
  env: '`pantry`, an imported name, a folder, or a world file (.json)',
  ingredient: NAME,
  ingredients: 'ingredients, as people write them: names are matched',
  first: NAME,
  second: NAME,
  axis: 'named direction; `env show` lists them',
  target: 'named direction, or an ingredient',
};

const four = (value: number) => fixed(value, 4);

/** Adds `env show | neighbors | pair | profile | axis | correlations | morph | frontier | feasible | pairings`. */
export function registerQueries(env: Command): void {
  const query: NewQuery = (usage, description) =>
    withArguments(env.command(usage), WORDS).description(description).option('--json', 'print JSON');

  query('show <env> [ingredient]', 'Describe an environment, or one ingredient of it.').action(
    async (name: string, ingredient: string | undefined, flags: QueryFlags) => {
      const open = await opened(name, flags);
      if (ingredient === undefined) showEnvironment(open);
      else showIngredient(open, open.row(ingredient));
    },
  );

  query('neighbors <env> <ingredient>', 'The nearest ingredients, by cosine.')
    .option('-k, --count <n>', 'how many to list', '10')
    .action(async (name: string, ingredient: string, flags: CountFlags) => {
      const open = await opened(name, flags);
      const near = neighbours(open.environment, open.row(ingredient), countIn(flags.count));
      open.result({ neighbors: scored(near) }, () => printScored(open.environment, near, 'cosine'));
    });

  query('pair <env> <first> <second>', 'How well two ingredients go together.').action(
    async (name: string, first: string, second: string, flags: QueryFlags) => {
      const open = await opened(name, flags);
      const rows = [open.row(first), open.row(second)] as const;
      if (rows[0] === rows[1]) {
        fail('USAGE', null, `both names mean ${open.environment.names[rows[0]]}`, 'Give two different ingredients.');
      }
      const { value, level, p10, p90, rows: looked } = pairingScore(open.environment, ...rows);
      const some = looked < open.environment.names.length;
      const facts = {
        value: round4(value),
        level,
        p10: round4(p10),
        p90: round4(p90),
        ...(some ? { rows: looked } : {}),
      };
      const pairs = some ? `the pairs of ${looked} names spread over all` : 'all pairs';
      open.result(facts, () => printLine(`${four(value)}, ${level} (of ${pairs}, p10 ${four(p10)}, p90 ${four(p90)})`));
    },
  );

  query('profile <env> <ingredient>', 'Projection on every cuisine.').action(
    async (name: string, ingredient: string, flags: QueryFlags) => {
      const open = await opened(name, flags);
      const profile = culturalProfile(open.environment, open.row(ingredient));
      const facts = profile.map(({ cuisine, value }) => ({ cuisine, value: round4(value) }));
      open.result({ profile: facts }, () =>
        printTable(
          ['cuisine', 'projection'],
          profile.map(({ cuisine, value }) => [cuisine, four(value)]),
        ),
      );
    },
  );

  query('axis <env> <axis> <first> [second]', 'One or two ingredients on a named direction.').action(
    async (name: string, asked: string, first: string, second: string | undefined, flags: QueryFlags) => {
      const open = await opened(name, flags);
      const axis = open.axis(asked).name;
      if (second === undefined) {
        const { value, percentile } = onFactor(open.environment, {
          row: open.row(first),
          factor: axis,
        });
        open.result({ axis, value: round4(value), percentile: round4(percentile) }, () =>
          printLine(`${four(value)}, percentile ${four(100 * percentile)} of all rows`),
        );
        return;
      }
      const compared = compareOnAxis(open.environment, {
        axis,
        first: open.row(first),
        second: open.row(second),
      });
      const { spread, delta } = compared;
      const readings = [compared.first, compared.second];
      const facts = {
        axis,
        readings: readings.map(({ value, level }) => ({ value: round4(value), level })),
        delta: round4(delta),
        p10: round4(spread.p10),
        p90: round4(spread.p90),
      };
      open.result(facts, () => {
        printTable(
          ['ingredient', axis, 'level'],
          readings.map(({ value, level }, i) => [open.matches[i]!.name, four(value), level]),
        );
        printLine(`second minus first ${four(delta)} (all rows, p10 ${four(spread.p10)}, p90 ${four(spread.p90)})`);
      });
    },
  );

  query('correlations <env>', 'Flavour axes that point the same way.')
    .option('--threshold <cosine>', 'smallest cosine listed', '0.3')
    .action(async (name: string, flags: QueryFlags & { threshold: string }) => {
      const open = await opened(name, flags);
      const list = flavourCorrelations(open.environment, numberIn(flags.threshold, '--threshold', -1, 1));
      const facts = list.map((each) => ({ ...each, cosine: round4(each.cosine) }));
      open.result({ correlations: facts }, () =>
        printTable(
          ['first', 'second', 'cosine'],
          list.map(({ first, second, cosine }) => [first, second, four(cosine)]),
        ),
      );
    });

  query('morph <env> <ingredient> <target>', 'Turn an ingredient towards a direction or an ingredient.')
    .option('--degrees <angle>', 'how far, -180 to 180 degrees', '30')
    .option('-k, --count <n>', 'how many to list', '10')
    .action(async (name: string, ingredient: string, target: string, flags: CountFlags & { degrees: string }) => {
      const open = await opened(name, flags);
      const degrees = numberIn(flags.degrees, '--degrees', -180, 180);
      const seed = open.row(ingredient);
      const towards = open.target(target);
      const near = morph(open.environment, {
        seed,
        target: towards.unit,
        degrees,
        count: countIn(flags.count),
      });
      open.result({ target: towards.name, degrees, nearest: scored(near) }, () =>
        printScored(open.environment, near, 'cosine'),
      );
    });

  query('frontier <env> <ingredient> <target>', 'The trade-off between staying near and going far.').action(
    async (name: string, ingredient: string, target: string, flags: QueryFlags) => {
      const open = await opened(name, flags);
      const seed = open.row(ingredient);
      const towards = open.target(target);
      const points = paretoNavigate(open.environment, { seed, target: towards.unit });
      const facts = points.map((point) => ({
        name: point.name,
        projection: round4(point.projection),
        proximity: round4(point.proximity),
      }));
      open.result({ target: towards.name, frontier: facts }, () =>
        printTable(
          ['ingredient', 'projection', 'proximity'],
          points.map((point) => [point.name, four(point.projection), four(point.proximity)]),
        ),
      );
    },
  );

  registerDiets(query);
}
