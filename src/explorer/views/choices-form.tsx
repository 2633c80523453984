import { useEffect, useState } from 'preact/hooks';
import { type Choices, OWN_CHOICES } from '../reader-choices.js';
import type { ShownScores } from '../shown-scores.js';

interface ChoicesFormProps {
  readonly scores: ShownScores;
  readonly choices: Choices;
  readonly choose: (next: Choices) => void;
}

const OPTIONS = {
  multiplicity: ['holm', 'max-t'],
  test: ['sign-flip', 'centred'],
  interval: ['percentile', 'student', 'bootstrap-t', 'binomial'],
} as const;

/** A number that a field holds; undefined where it holds none. */
function numberOf(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}

/** Choices of a reader: what is left open the data decide. Nothing is computed before the button. */
export function ChoicesForm({ scores, choices, choose }: ChoicesFormProps) {
  const [draft, setDraft] = useState<Choices>(choices);
  // Other files have other models.
  useEffect(() => setDraft(choices), [scores]);
  const set = (part: Partial<Choices>) => setDraft({ ...draft, ...part });
  const kept = scores.matrix.models.length - draft.without.length;
  const field = (label: string, name: 'draws' | 'flips' | 'alpha' | 'margin') => (
    <label>
      {label}
      <input
        type="number"
        step="any"
        value={draft[name] ?? ''}
        onInput={({ currentTarget }) => set({ [name]: numberOf(currentTarget.value) ?? OWN_CHOICES[name] })}
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
          <label key={name}>
            {name}
            <select
              value={String(draft[name as keyof typeof OPTIONS] ?? '')}
              onChange={({ currentTarget }) => set({ [name]: currentTarget.value || undefined })}
            >
              <option value="">as the data ask</option>
              {values.map((value) => (
                <option key={value}>{value}</option>
              ))}
            </select>
          </label>
        ))}
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
      <fieldset>
        <legend>Models that take part: {kept}</legend>
        <div class="models">
          {scores.matrix.models.map((model) => (
            <label key={model}>
              <input
                type="checkbox"
                checked={!draft.without.includes(model)}
                onChange={({ currentTarget: { checked } }) =>
                  set({ without: checked ? draft.without.filter((id) => id !== model) : [...draft.without, model] })
                }
              />{' '}
              {model}
            </label>
          ))}
        </div>
      </fieldset>
      <p>
        <button type="submit" disabled={kept < 1}>
          Compute
        </button>{' '}
        <button
          type="button"
          onClick={() => {
            setDraft(OWN_CHOICES);
            choose(OWN_CHOICES);
          }}
        >
          Back to the first choices
        </button>
      </p>
    </form>
  );
}
