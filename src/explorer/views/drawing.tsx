import { useEffect, useState } from 'preact/hooks';
import type { Theme } from '../../draw/colours.js';
import type { DrawOptions } from '../../draw/look.js';
import { figureAddress } from '../figure-address.js';
import { usePageRoom } from '../page-room.js';

interface DrawingProps {
  readonly draw: (options: DrawOptions) => Promise<string>;
  /** What the figure shows, in words. */
  readonly alt: string;
}

type Drawn = Readonly<Record<Theme, string>> | { readonly reason: string };

/**
 * A figure of ours, drawn on this machine in both themes. It is shown as an image, so that nothing in it can run or load whatever it was drawn from.
 * The style sheet shows one of the two: of a picture with two sources paper got that of the screen.
 */
export function Drawing({ draw, alt }: DrawingProps) {
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const { narrow } = usePageRoom();
  useEffect(() => {
    let latest = true;
    // What is drawn for a printed column can be read on a phone.
    const size = narrow ? 'column' : 'screen';
    const both = Promise.all([draw({ theme: 'light', size }), draw({ theme: 'dark', size })]);
    both.then(
      ([light, dark]) => latest && setDrawn({ light: figureAddress(light), dark: figureAddress(dark) }),
      (error: unknown) => latest && setDrawn({ reason: error instanceof Error ? error.message : String(error) }),
    );
    return () => {
      latest = false;
    };
  }, [draw, narrow]);
  if (drawn === null) return <p class="muted">Drawing…</p>;
  if ('reason' in drawn) return <p role="alert">The figure cannot be drawn: {drawn.reason}</p>;
  return (
    <figure>
      {(['light', 'dark'] as const).map((theme) => (
        <img key={theme} class={`drawing ${theme}`} src={drawn[theme]} alt={alt} />
      ))}
    </figure>
  );
}
