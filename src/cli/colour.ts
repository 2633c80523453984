import picocolors from 'picocolors';

/** Colours for standard output: only on a terminal, and never where NO_COLOR is set; a CI machine is not a terminal. */
export const colour = picocolors.createColors(process.stdout.isTTY === true && !process.env.NO_COLOR);
