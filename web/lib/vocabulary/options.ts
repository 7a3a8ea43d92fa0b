export type Option = readonly [value: string, label: string];

/** More options than this are searched. */
export const MOST_SCROLLED = 12;

export const toOptions = <Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): Option[] => values.map((value) => [value, labels[value]]);
