import { useQuery } from '@tanstack/react-query';
import { supabase } from '../supabase/client.ts';
import type { FirstTable } from '../vocabulary/empty-lists.ts';

async function hasRows(table: FirstTable): Promise<boolean> {
  const { data } = await supabase().from(table).select('id').limit(1).throwOnError();
  return data.length > 0;
}

/** Whether the table has any row that the user can read; without a table, it has. */
export const useHasRows = (table: FirstTable | undefined) =>
  useQuery({
    queryKey: [table, 'any'],
    queryFn: () => table === undefined || hasRows(table),
  });
