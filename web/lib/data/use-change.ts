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
