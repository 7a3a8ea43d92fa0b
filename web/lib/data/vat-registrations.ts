// When the company is registered for VAT.
import type { Database } from '#shared/database.types.ts';
import { vatKey } from '#web/lib/data/keys.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export type Registration = Database['public']['Tables']['vat_registrations']['Row'];

async function fetchRegistrations(): Promise<Registration[]> {
  const { data } = await supabase()
    .from('vat_registrations')
    .select('*')
    .order('registered_from', { ascending: false })
    .throwOnError();
  return data;
}

/** The newest first. */
export const useRegistrations = () =>
  useLiveQuery('vat_registrations', vatKey, {
    queryKey: [...vatKey, 'registrations'],
    queryFn: fetchRegistrations,
  });

/** @param day yyyy-MM-dd */
export const isRegisteredOn = (
  { registered_from, registered_to }: Pick<Registration, 'registered_from' | 'registered_to'>,
  day: string,
): boolean => day >= registered_from && (registered_to === null || day <= registered_to);
