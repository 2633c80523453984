import { useMemo } from 'preact/hooks';
import { familyOrder } from '../../inference/strata.js';
import { plain } from '../../util/text.js';
import { type DraftProps, TakesPart } from './choices-form.js';

/** Which families take part, and what each weighs in a score; nothing where there is one. */
export function FamilyChoices({ scores, draft, set }: DraftProps) {
  const families = useMemo(() => familyOrder(scores.matrix.families), [scores]);
  if (families.length < 2) return null;
  const { familyWeights: weights = {}, withoutFamilies: left } = draft;
  const weigh = (family: string, text: string) => {
    const { [family]: _, ...others } = weights;
    const value = Number(text);
    const next = text.trim() === '' || value === 1 || !(value > 0) ? others : { ...others, [family]: value };
    set({ familyWeights: Object.keys(next).length === 0 ? undefined : next });
  };
  return (
    <fieldset>
      <legend>Families, and what they weigh</legend>
      <div class="families">
        {families.map((family) => (
          <div key={family}>
            <TakesPart
              name={family}
              left={left}
              onLeft={(withoutFamilies) => {
                const { [family]: _, ...others } = weights;
                set({
                  withoutFamilies,
                  familyWeights: Object.keys(others).length === 0 ? undefined : others,
                });
              }}
            >
              {plain(family)}
            </TakesPart>
            <input
              type="number"
              min="0.01"
              step="any"
              aria-label={`weight of ${plain(family)}`}
              disabled={left.includes(family)}
              value={weights[family] ?? 1}
              onInput={({ currentTarget }) => weigh(family, currentTarget.value)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
