export function shrinkList<Item>(
  items: readonly Item[],
  fails: (kept: Item[]) => Promise<boolean>,
  tries: number,
): Promise<Item[]>;
