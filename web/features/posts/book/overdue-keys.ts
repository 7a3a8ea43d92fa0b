type Out = { due_at: string | null };

/** Until it is back, by the server's clock. */
export const isOverdue = ({ due_at }: Out, now: number): boolean =>
  due_at !== null && Date.parse(due_at) <= now;

/** @returns the same keys, those that are overdue first, the latest of them at the top */
export function overdueFirst<Key extends Out>(keys: readonly Key[], now: number): Key[] {
  const rank = (key: Key) => (isOverdue(key, now) ? Date.parse(key.due_at ?? '') : Infinity);
  return keys.toSorted((one, other) =>
    rank(one) < rank(other) ? -1 : Number(rank(one) > rank(other)),
  );
}
