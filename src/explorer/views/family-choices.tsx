import { useMemo } from 'preact/hooks';
import { familyOrder } from '../../inference/strata.js';
import { plain } from '../../util/text.js';
import { type DraftProps, TakesPart } from './choices-form.js';
import { NumberField } from './number-field.js';

/** Which families take part, and what each weighs in a score; nothing where there is one. */
export function FamilyChoices({ scores, draft, set }: DraftProps) {
  const families = useMemo(() => familyOrder(scores.matrix.families), [scores]);
  if (families.length < 2) return null;
  const { familyWeights: weights = {}, withoutFamilies: left } = draft;
  const weigh = (family: string, value: number) => {
    const { [family]: _, ...others } = weights;
    const next = value === 1 ? others : { ...others, [family]: value };
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
            <NumberField
              name={`weight of ${plain(family)}`}
              disabled={left.includes(family)}
              value={weights[family] ?? 1}
              otherwise={1}
              onNumber={(value) => weigh(family, value ?? 1)}
            />
          </div>
        ))}
      </div>
    </fieldset>
  );
}
