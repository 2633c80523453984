import { useEffect, useState } from 'preact/hooks';

interface NumberFieldProps {
  /** The number in force; undefined where there is none. */
  readonly value: number | undefined;
  /** What an empty field stands for. */
  readonly otherwise: number | undefined;
  readonly onNumber: (value: number | undefined) => void;
  readonly disabled?: boolean;
  /** What is asked for, where no label stands about the field. */
  readonly name?: string;
}

/** The number that a text is; undefined where it is none. */
function numberOf(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? undefined : value;
}

const written = (value: number | undefined): string => (value === undefined ? '' : String(value));

/**
 * A field for a number, whose text stays as it is typed until it is left: the number written back at each key made 51 of 0.5. A field of type
 * number would do so too, as it holds nothing while what was typed so far is no number.
 */
export function NumberField({ value, otherwise, onNumber, disabled, name }: NumberFieldProps) {
  const [text, setText] = useState(written(value));
  const meant = (typed: string) => numberOf(typed) ?? otherwise;
  useEffect(() => {
    if (meant(text) !== value) setText(written(value));
  }, [value]);
  return (
    <input
      type="text"
      inputMode="decimal"
      pattern="\s*[\-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[\-+]?[0-9]+)?\s*"
      title="a number, such as 0.05"
      aria-label={name}
      disabled={disabled}
      value={text}
      onInput={({ currentTarget: { value: typed } }) => {
        setText(typed);
        onNumber(meant(typed));
      }}
      onBlur={() => setText(written(value))}
    />
  );
}
