/** About so many lines across a chart; more crowd it. */
const LINES = 4;

/** @returns the next round number: 1, 2 or 5 times a power of ten */
function roundUp(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= size) ?? size;
}

/**
 * @param figures of all bars, piles and lines
 * @returns where lines go, ascending; the first and the last enclose every figure and zero
 */
export function ticksFor(figures: readonly number[]): number[] {
  const low = Math.min(0, ...figures);
  const high = Math.max(0, ...figures);
  if (low === high) return [0, 1];
  const step = roundUp((high - low) / LINES);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  // Counted in steps: adding fractions would not meet round numbers.
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Pixels that a letter of a label takes, about. */
const LETTER = 7;

/**
 * @param width pixels of the chart
 * @returns how far apart named groups must be so that their names do not touch: 1 for each, 2 for every other
 */
export function labelStep(names: readonly string[], width: number): number {
  const longest = Math.max(1, ...names.map((name) => name.length + 2));
  return Math.max(1, Math.ceil((names.length * longest * LETTER) / width));
}

type Series = {
  name: string;
  colour: string;
  /** A line across the bars instead of a bar, for what is wanted. */
  line?: boolean;
};
/** In the order of the series; null where there is no figure. */
export type Group = { id: string; name: string; values: (number | null)[] };

export type BarsProps = {
  /** What is shown, for example "Revenue, expenses and profit by period, USD". */
  caption: string;
  series: Series[];
  groups: Group[];
  /** How the bars of a group stand: beside each other, on each other, or the later in front of the earlier. */
  layout?: 'beside' | 'stacked' | 'overlaid';
  /** Of a figure in the table and under the pointer. */
  format: (value: number) => string;
};
