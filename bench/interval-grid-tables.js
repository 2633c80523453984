export function writeGrid(grid) {}
