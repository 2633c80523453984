interface ShownNameProps {
  readonly whole: string;
  /** What there is room for. */
  readonly shown: string;
}

/** A name as there is room for it; whole to a screen reader and to a search. */
export function ShownName({ whole, shown }: ShownNameProps) {
  if (shown === whole) return <>{whole}</>;
  return (
    <>
      <span class="hidden">{whole}</span>
      <span aria-hidden="true">{shown}</span>
    </>
  );
}
