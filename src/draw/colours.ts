export type Theme = 'light' | 'dark';

/** Colours of a theme as `#RRGGBB`; the five series stay apart for every common form of colour blindness. */
export interface ThemeColours {
  readonly background: string;
  readonly ink: string;
  /** Secondary text. */
  readonly muted: string;
  readonly grid: string;
  readonly blue: string;
  readonly gold: string;
  readonly teal: string;
  readonly red: string;
  /** Neutral marks. */
  readonly grey: string;
}

const THEMES: Record<Theme, ThemeColours> = {
  light: {
    background: '#FFFFFF',
    ink: '#262B33',
    muted: '#5B6470',
    grid: '#E9EDF2',
    blue: '#1769AA',
    gold: '#B87700',
    teal: '#168C7A',
    red: '#C75450',
    grey: '#8A94A1',
  },
  dark: {
    background: '#262B33',
    ink: '#E9EDF2',
    muted: '#AEB8C4',
    grid: '#3B434E',
    blue: '#5FAAE3',
    gold: '#F0BC52',
    teal: '#4FC2AC',
    red: '#E88E89',
    grey: '#8A94A1',
  },
};

/** Returns the colours of a theme. */
export function themeColours(theme: Theme): ThemeColours {
  return THEMES[theme];
}

const channel = (hex: string, at: number): number => Number.parseInt(hex.slice(at, at + 2), 16);

/** Mixes two colours: `share` (0 to 1) of `over`, the rest of `under`. */
export function mixed(under: string, over: string, share: number): string {
  const channels = [1, 3, 5].map((at) =>
    Math.round(channel(under, at) * (1 - share) + channel(over, at) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${channels.join('')}`.toUpperCase();
}
