import { useEffect, useState } from 'preact/hooks';

/** Tells whether the page is being printed, in time for what is then made to be printed too. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia('print').matches);
  useEffect(() => {
    const begin = () => setPrinting(true);
    const end = () => setPrinting(false);
    const media = matchMedia('print');
    const change = ({ matches }: MediaQueryListEvent) => setPrinting(matches);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    media.addEventListener('change', change);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      media.removeEventListener('change', change);
    };
  }, []);
  return printing;
}
