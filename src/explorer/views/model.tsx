import { useMemo } from 'preact/hooks';
import { byRank } from '../../inference/model-ranks.js';
import type { ModelResult } from '../../inference/result.js';
import { counted, coverageText, fixed, general, placesFor } from '../../util/format.js';
import { plain } from '../../util/text.js';
import { addressHash } from '../address.js';
import { axisOver, boundsOf } from '../interval-axis.js';
import { modelAnswers, numberFacts } from '../model-answers.js';
import { usePageRoom } from '../page-room.js';
import { saidName } from '../said-name.js';
import { useAnswers } from './answers.js';
import { rankSetText, rankText } from './leaderboard.js';
import type { RankedProps, ViewProps } from './registry.js';
import { ScoreBar } from './score-bar.js';
import { Scroll } from './scroll.js';

/** One model: its place, families, panels, answers, cost and time, and what cannot be concluded of it. */
export function Model({ opened, result, address, go }: RankedProps) {
  const { inference } = result;
  const order = useMemo(() => byRank(inference.models), [inference]);
  const model = order.find(({ modelId }) => modelId === address.model) ?? order[0]!;
  return (
    <>
      <p class="choosers">
        <label>
          Model{' '}
          <select value={model.modelId} onChange={({ currentTarget }) => go({ model: currentTarget.value })}>
            {order.map(({ modelId, name }) => (
              <option key={modelId} value={modelId}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {order.length > 1 && (
          <a href={addressHash({ ...address, view: 'pair', left: model.modelId, right: neighbourOf(model, order) })}>
            Beside the next one
          </a>
        )}
      </p>
      <div class="parts">
        <section class="part">
          <Place {...{ model, inference, bounds: boundsOf(result.matrix) }} />
        </section>
        {Object.keys(inference.tasksPerFamily).length > 1 && <Families {...{ model, inference }} />}
        <Panels {...{ model, inference }} />
        <section class="part">
          <Answers {...{ opened, model: model.modelId }} />
        </section>
        <Routes {...{ opened, model: model.modelId }} />
        <section class="part cannot">
          <h3>What cannot be concluded</h3>
          <ul>
            {cannotConclude(model, inference).map((words) => (
              <li key={words}>{words}</li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

function neighbourOf(model: ModelResult, order: readonly ModelResult[]): string {
  const place = order.indexOf(model);
  return (order[place + 1] ?? order[place - 1] ?? model).modelId;
}

type Inference = RankedProps['result']['inference'];
interface OfModel {
  readonly model: ModelResult;
  readonly inference: Inference;
}

/** Models that a sentence names. */
const NAMED = 6;

function cannotConclude(
  { openWith, name: whole, chance }: ModelResult,
  { models, replication, tasksPerFamily }: Inference,
): string[] {
  const name = saidName(whole);
  const open = byRank((openWith ?? []).flatMap((index) => models[index] ?? [])).map(({ name: open }) => saidName(open));
  const listed =
    open.length > NAMED ? `${open.slice(0, NAMED).join(', ')} and ${open.length - NAMED} more` : open.join(', ');
  return [
    models.length < 2
      ? `Whether ${name} does well: no other model is there to compare it with.`
      : open.length === 0
        ? `${name} is told apart from every other model; how large each difference is, its interval says.`
        : `${name} is not told apart from ${listed}: neither that it is better or worse, nor that it is equal.`,
    ...(chance && !chance.aboveChance ? [`It is not shown that ${name} does better than a random answer.`] : []),
    ...(Object.keys(tasksPerFamily).length > 1 || replication
      ? ['Scores of families and panels have no intervals here: a difference between two of them is not tested.']
      : []),
    ...(replication ? ['Two panels agree or not by chance too; the difference between them has no test.'] : []),
    'Why a model scores as it does, and whether it saw the tasks before, no score shows.',
  ];
}

function Place({ model, inference, bounds }: OfModel & { readonly bounds: ReturnType<typeof boundsOf> }) {
  const { plan, models } = inference;
  const places = placesFor(models.map(({ score }) => score));
  const range = ([low, high]: readonly [number, number]) => `${low.toFixed(places)} to ${high.toFixed(places)}`;
  const { chance, rankSet, letters } = model;
  const facts: (readonly [string, string])[] = [
    ['Rank', `${rankText(model)} of ${models.length}${rankSet ? `; allowed ${rankSetText(model)}` : ''}`],
    [
      'Score',
      model.score.toFixed(places) +
        (model.scoreBounds ? `: half-way, as with what is missing it is ${range(model.scoreBounds)}` : ''),
    ],
    [`Interval at ${coverageText(plan.alpha)}, this model alone`, range(model.pointwise) + alone(model)],
    ['Interval that holds for all models at once', range(model.simultaneous) + notOf(model, bounds)],
    ...(letters && models.length > 1 ? [['Letters', letters] as const] : []),
    ...(chance
      ? [
          ['Score of a random answer', chance.score.toFixed(places)] as const,
          [
            'Above it',
            `${chance.aboveChance ? 'yes' : 'not shown'}: ${chance.meanDifference.toFixed(places)} points, interval ${range(chance.interval)}, adjusted p ${general(chance.holm, 3)}`,
          ] as const,
        ]
      : []),
  ];
  return <Facts label="Place" facts={facts} />;
}

/** What an interval of one model alone does not mean where it has no width, or where the draws set it no end. */
function alone({ pointwise: [low, high], unbounded }: ModelResult): string {
  if (low === high) return NO_WIDTH;
  return unbounded ? '; one end is that of the scores themselves, as too many draws vary too little to set one' : '';
}

const NO_WIDTH = ': no width, as this score is the same in every draw, which does not make it certain';

/** What an interval of all models at once does not mean where it has no width, or passes all scores there are. */
function notOf({ simultaneous: [low, high] }: ModelResult, bounds: ReturnType<typeof boundsOf>): string {
  if (low === high) return NO_WIDTH;
  return bounds !== null && (low < bounds[0] || high > bounds[1])
    ? `; there is no score past ${bounds[0]} and ${bounds[1]}`
    : '';
}

function Facts({ label, facts }: { readonly label: string; readonly facts: readonly (readonly [string, string])[] }) {
  return (
    <Scroll label={label}>
      <table class="facts">
        <tbody>
          {facts.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Families on one axis: this model, and the range of the others. */
function Families({ model, inference }: OfModel) {
  const families = Object.keys(inference.tasksPerFamily);
  const all = inference.models.flatMap(({ familyScores }) => families.map((family) => familyScores[family]!));
  const places = placesFor(all);
  const room = usePageRoom();
  const axis = room.narrow ? axisOver(all, 60, 3) : axisOver(all, 16 * room.letter);
  return (
    <section class="part">
      <h3>Families</h3>
      <Scroll label="Families">
        <table class="board">
          <thead>
            <tr>
              <th scope="col">Family</th>
              <th scope="col">Tasks</th>
              <th scope="col">Score</th>
              <th scope="col">Place</th>
              <th scope="col">
                <span class="hidden">Among the others</span>
                <ScoreBar.Numbers axis={axis} />
              </th>
            </tr>
          </thead>
          <tbody>
            {families.map((family) => {
              const value = model.familyScores[family]!;
              const others = inference.models.map(({ familyScores }) => familyScores[family]!);
              const above = others.filter((other) => other > value).length;
              return (
                <tr key={family}>
                  <th scope="row">{plain(family)}</th>
                  <td class="number">{inference.tasksPerFamily[family]}</td>
                  <td class="number">{value.toFixed(places)}</td>
                  <td class="number">
                    {above + 1} of {others.length}
                  </td>
                  <td>
                    <ScoreBar {...{ axis, value, others, places }} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
      <p class="muted">
        Dot: this model. Ticks: all models, points. The axis spans their scores, not all that there can be.
      </p>
    </section>
  );
}

function Panels({ model, inference: { replication, models } }: OfModel) {
  if (replication === null) return null;
  const { panels, scores, scorePearson } = replication;
  const [first, second] = scores[model.index]!;
  const places = placesFor(models.map(({ score }) => score));
  return (
    <section class="part">
      <h3>Panels</h3>
      <Facts
        label="Panels"
        facts={[
          [plain(panels[0]), first.toFixed(places)],
          [plain(panels[1]), second.toFixed(places)],
          ['Second minus first', fixed(second - first, places)],
          ['Correlation of the panels over all models', scorePearson === null ? 'undefined' : scorePearson.toFixed(3)],
        ]}
      />
    </section>
  );
}

/** Answers of a model by what became of them, with cost and time. */
export function Answers({ opened, model }: { readonly opened: ViewProps['opened']; readonly model: string }) {
  const found = useAnswers(opened);
  if (found.at === 'none')
    return <p class="muted">The answers are not at hand, so failures, cost and time are not known.</p>;
  if (found.at === 'waiting') return <p class="muted">Reading the answers…</p>;
  if (found.at === 'failed') return <p role="alert">The answers cannot be read: {found.reason}</p>;
  const { kinds, answers, failed, simulated } = modelAnswers(found.book.ofModel(model));
  const isRanked = opened.ledger === null;
  return (
    <>
      <h3>Answers</h3>
      <p>
        {counted(answers, 'answer')}, {failed === 0 ? 'all of which could be read' : `${failed} without a selection`}.
        What could not be read, or never came, has no score; it is not counted as a wrong one.
      </p>
      <Scroll label="Answers by what became of them">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">What became of it</th>
              <th scope="col">All</th>
              {isRanked && <th scope="col">Ranked</th>}
            </tr>
          </thead>
          <tbody>
            {kinds.map(({ kind, words, all, ranked }) => (
              <tr key={kind}>
                <th scope="row">{words}</th>
                <td class="number">{all}</td>
                {isRanked && <td class="number">{ranked}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <h3>Cost and time</h3>
      <Facts label="Cost and time" facts={numberFacts(found.book.ofModel(model))} />
      <p class="muted">
        As the provider reported them when it was asked
        {simulated ? '; these answers are simulated: nothing was paid' : ''}. Another day or route may cost and take
        otherwise.
      </p>
    </>
  );
}

function Routes({ opened, model }: { readonly opened: ViewProps['opened']; readonly model: string }) {
  const routes = (opened.release?.routes ?? []).filter((route) => route.model === model);
  if (routes.length === 0) return null;
  return (
    <section class="part">
      <h3>How it was asked</h3>
      <Scroll label="Routes">
        <table class="facts">
          <thead>
            <tr>
              <th scope="col">Panel</th>
              <th scope="col">Transport</th>
              <th scope="col">Asked for</th>
              <th scope="col">Provider</th>
            </tr>
          </thead>
          <tbody>
            {routes.map(({ panel, transport, requestedModel, provider, tag }, k) => (
              <tr key={`${panel} ${k}`}>
                <th scope="row">{plain(panel)}</th>
                <td>{plain(transport ?? 'not stated')}</td>
                <td>{plain(requestedModel ?? 'not stated')}</td>
                <td>{plain(tag ?? provider ?? 'not stated')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
