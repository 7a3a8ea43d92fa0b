// Clients, sites, guards and shifts by a few letters of their name; each caller finds what they may read.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';

/** Fewer letters would find nearly everything. */
const SHORTEST = 2;

async function findRecords(text: string) {
  const { data } = await supabase().rpc('find_records', { p_text: text }).throwOnError();
  return data;
}

export type Found = Awaited<ReturnType<typeof findRecords>>[number];

export function useFoundRecords(text: string) {
  return useQuery({
    queryKey: ['finder', text],
    queryFn: () => findRecords(text),
    enabled: text.length >= SHORTEST,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
}
