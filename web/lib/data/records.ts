import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

/**
 * A mutation that invalidates its lists. Dialogs close without waiting for them to load.
 * @param key root of the query keys that show what is changed
 */
export function useChange<Args, Result>(key: QueryKey, change: (args: Args) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: key }),
  });
}

/** @throws when an update or delete matched no row: it was deleted meanwhile, or row-level security hides it */
export function existing<Row>(row: Row | null, name: string): Row {
  if (row === null) throw new Error(`This ${name} no longer exists, or you may not change it.`);
  return row;
}
