// What the lists of records and their changes have in common.
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/** How many records a list of cards loads at first, and with each press on its button. */
export const CARDS_STEP = 60;

export type Page<Row> = {
  rows: Row[];
  /** How many there are, including those beyond the limit. */
  total: number;
};

/**
 * A change after which a list is loaded again. The dialog does not wait for the list.
 * @param key of the lists that show what is changed
 */
export function useChange<Args, Result>(key: QueryKey, change: (args: Args) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: key }),
  });
}

/** @returns the row @throws when a change met none: it was deleted meanwhile, or is closed to the caller */
export function existing<Row>(row: Row | null, name: string): Row {
  if (row === null) throw new Error(`This ${name} no longer exists, or you may not change it.`);
  return row;
}
