/** Font sizes and width of a figure that is printed one column (84 mm) wide, in SVG units; a unit is 0.7 points. */
export const COLUMN = { width: 340, margin: 8, title: 12.5, text: 10, small: 9.3 } as const;
