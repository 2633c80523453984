import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { MISSING_RULES } from '../../core/gaps.js';
import type { Choices } from '../reader-choices.js';
import type { ShownScores } from '../shown-scores.js';
import { FamilyChoices } from './family-choices.js';
import { NumberField } from './number-field.js';
import { TaskChoices } from './task-choices.js';

interface ChoicesFormProps {
  readonly scores: ShownScores;
  readonly choices: Choices;
  /** Those that the page opened with. */
  readonly own: Choices;
  readonly choose: (next: Choices) => void;
}

/** What a part of the form is given: the choices as they stand in it, and how it changes them. */
export interface DraftProps {
  readonly scores: ShownScores;
  readonly draft: Choices;
  readonly set: (part: Partial<Choices>) => void;
}

const OPTIONS = {
  multiplicity: ['holm', 'max-t'],
  test: ['sign-flip', 'centred'],
  interval: ['percentile', 'student', 'bootstrap-t', 'binomial'],
} as const;

/** Choices of a reader: what is left open the data decide. Nothing is computed before the button. */
export function ChoicesForm({ scores, choices, own, choose }: ChoicesFormProps) {
  const [draft, setDraft] = useState<Choices>(choices);
  // Other files have other models.
  useEffect(() => setDraft(choices), [scores]);
  const set = (part: Partial<Choices>) => setDraft({ ...draft, ...part });
  const models = scores.matrix.models.length - draft.without.length;
  const field = (label: string, name: 'draws' | 'flips' | 'alpha' | 'margin') => (
    // biome-ignore lint/a11y/noLabelWithoutControl: the field that is made here is its control
    <label>
      {label}
      <NumberField
        value={draft[name] ?? undefined}
        otherwise={own[name] ?? undefined}
        onNumber={(value) => set({ [name]: value ?? own[name] })}
      />
    </label>
  );
  const submit = (event: Event) => {
    event.preventDefault();
    choose(draft);
  };
  return (
    <form onSubmit={submit}>
      <div class="fields">
        {Object.entries(OPTIONS).map(([name, values]) => (
          <Select
            key={name}
            label={name}
            value={draft[name as keyof typeof OPTIONS]}
            values={values}
            otherwise="as the data ask"
            onValue={(value) => set({ [name]: value })}
          />
        ))}
        {scores.kind === 'table' && (
          <Select
            label="missing cells"
            value={draft.missing}
            values={MISSING_RULES.filter((rule) => rule !== 'withhold')}
            otherwise="withhold the result"
            onValue={(value) => set({ missing: value as Choices['missing'] })}
          />
        )}
        {field('bootstrap draws', 'draws')}
        {field('sign flips', 'flips')}
        {field('familywise error', 'alpha')}
        {field('margin, points', 'margin')}
        <label>
          seed
          <input
            type="text"
            inputMode="numeric"
            pattern="[0-9]{1,20}"
            value={String(draft.seed)}
            onInput={({ currentTarget: { value } }) => /^\d{1,20}$/.test(value) && set({ seed: BigInt(value) })}
          />
        </label>
      </div>
      <FamilyChoices {...{ scores, draft, set }} />
      <TaskChoices {...{ scores, draft, set }} />
      <fieldset>
        <legend>Models that take part: {models}</legend>
        <div class="models">
          {scores.matrix.models.map((model) => (
            <TakesPart key={model} name={model} left={draft.without} onLeft={(without) => set({ without })} />
          ))}
        </div>
      </fieldset>
      <p class="actions">
        <button type="submit" disabled={models < 1}>
          Compute
        </button>{' '}
        <button
          type="button"
          onClick={() => {
            setDraft(own);
            choose(own);
          }}
        >
          Back to the first choices
        </button>
      </p>
    </form>
  );
}

interface TakesPartProps {
  readonly name: string;
  /** Names that are left out. */
  readonly left: readonly string[];
  readonly onLeft: (left: readonly string[]) => void;
  readonly children?: ComponentChildren;
}

/** A box beside a name: checked, it takes part. */
export function TakesPart({ name, left, onLeft, children }: TakesPartProps) {
  return (
    <label>
      <input
        type="checkbox"
        checked={!left.includes(name)}
        onChange={({ currentTarget: { checked } }) =>
          onLeft(checked ? left.filter((other) => other !== name) : [...left, name])
        }
      />{' '}
      {children ?? name}
    </label>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly values: readonly string[];
  /** What is chosen where nothing is. */
  readonly otherwise: string;
  readonly onValue: (value: string | undefined) => void;
}

function Select({ label, value, values, otherwise, onValue }: SelectProps) {
  return (
    <label>
      {label}
      <select value={value ?? ''} onChange={({ currentTarget }) => onValue(currentTarget.value || undefined)}>
        <option value="">{otherwise}</option>
        {values.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
}
