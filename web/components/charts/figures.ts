// What a chart of bars shows, for the drawing and for the table with the same figures.
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
