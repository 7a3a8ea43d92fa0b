import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { supabase } from '#web/lib/supabase/client.ts';

/** A shorter text would match nearly everything. */
const MIN_LENGTH = 2;

async function findRecords(text: string) {
  const { data } = await supabase().rpc('find_records', { p_text: text }).throwOnError();
  return data;
}

export type Found = Awaited<ReturnType<typeof findRecords>>[number];

/** Clients, sites, guards, shifts and invoices whose name or number contains the text, as far as the user may read them. */
export function useFoundRecords(text: string) {
  return useQuery({
    queryKey: ['finder', text],
    queryFn: () => findRecords(text),
    enabled: text.length >= MIN_LENGTH,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  });
}
