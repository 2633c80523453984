/** Style rules that bring the font of the figures; the build puts them here (`bundle/explorer.js`), and without it figures use what a machine has. */
export const FONT_RULES: string = '';
