/**
 * Spreadsheets would run a cell that starts like a formula, so exports put an apostrophe before it. Negative amounts have none. A
 * cell that has such an apostrophe already gets another one, so that `unguarded` returns what was exported.
 */
export const FORMULA = /^'*(?:[=+@\t\r]|-(?!\d+(\.\d+)?$))/;

/** @returns the cell as it was before the export */
export const unguarded = (cell: string) =>
  cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
