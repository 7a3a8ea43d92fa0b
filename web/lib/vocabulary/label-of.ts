/** @returns the label, or the value itself, which a newer server may send */
export const labelOf = (labels: Record<string, string>, value: string): string =>
  labels[value] ?? value;
