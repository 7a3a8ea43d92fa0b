const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_-]+/g, '-');

/** @returns the value that a cell names, by itself or by its label on screen, in any case; undefined if there is none */
export function readChoice<Value extends string>(
  labels: Readonly<Record<Value, string>>,
  values: readonly Value[],
  cell: string,
): Value | undefined {
  const wanted = plain(cell);
  return values.find((value) => [plain(value), plain(labels[value])].includes(wanted));
}
