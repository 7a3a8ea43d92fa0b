import { useQuery } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** A period that is due, or a contract that isn't, with the reason. */
export type BillingDue = Database['public']['Functions']['billing_due']['Returns'][number];

/** @param on yyyy-MM-dd; today while it is empty */
async function fetchBillingDue({ on, client }: { on: string; client: string }) {
  const { data } = await supabase()
    .rpc('billing_due', { ...(on ? { p_on: on } : {}), ...(client ? { p_client_id: client } : {}) })
    .throwOnError();
  return data;
}

/** @param of the day, and the client or, empty, all of them */
export const useBillingDue = (of: { on: string; client: string }) =>
  useQuery({
    queryKey: [...invoicesKey, 'due', of.on, of.client],
    queryFn: () => fetchBillingDue(of),
  });

async function fetchContracts() {
  const { data } = await supabase()
    .from('contracts')
    .select('id, title, client_id, clients!inner(name)')
    .order('clients(name)')
    .order('title')
    .order('id')
    .returns<{ id: string; title: string; client_id: string; clients: { name: string } }[]>()
    .throwOnError();
  return data;
}

/** Every contract that can be billed for chosen days. */
export const useBilledContracts = () =>
  useQuery({ queryKey: [...invoicesKey, 'contracts'], queryFn: fetchContracts });
