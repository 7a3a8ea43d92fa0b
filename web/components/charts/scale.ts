/** Approximate number of grid lines. */
const LINES = 4;

/** @returns the next round number: 1, 2 or 5 times a power of ten */
function roundUp(size: number): number {
  const power = 10 ** Math.floor(Math.log10(size));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= size) ?? size;
}

/**
 * @param figures of all bars, stacks and lines
 * @returns ascending grid lines at round numbers, enclosing every figure and zero
 */
export function ticksFor(figures: readonly number[]): number[] {
  const low = Math.min(0, ...figures);
  const high = Math.max(0, ...figures);
  if (low === high) return [0, 1];
  const step = roundUp((high - low) / LINES);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  // Multiples of the step: adding fractions repeatedly would accumulate rounding errors.
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
}

/** Approximate pixels per letter of a label. */
const LETTER_WIDTH = 7;

/**
 * @param width pixels of the chart
 * @returns 1 to label each group, 2 for every other, so that labels don't overlap
 */
export function labelStep(names: readonly string[], width: number): number {
  const longest = Math.max(1, ...names.map((name) => name.length + 2));
  return Math.max(1, Math.ceil((names.length * longest * LETTER_WIDTH) / width));
}

type Series = {
  name: string;
  colour: string;
  /** A line across the bars, for a target. */
  line?: boolean;
};
/** In the order of the series. */
export type Group = { id: string; name: string; values: (number | null)[] };

export type BarsProps = {
  /** For example "Revenue, expenses and profit by period, USD". */
  caption: string;
  series: Series[];
  groups: Group[];
  /** As high as beside other panels. */
  isSmall?: boolean;
  /** Bars of a group side by side, stacked, or later ones in front of earlier ones. */
  layout?: 'beside' | 'stacked' | 'overlaid';
  /** For the table and the tooltip. */
  format: (value: number) => string;
};
