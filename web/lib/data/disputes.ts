// What clients contest: as long as a dispute lasts, its client gets no reminder.
import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { reasonField } from '#web/lib/form-fields/text-field.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { invoicesKey } from './keys.ts';
import { useChange } from './use-change.ts';

export type Dispute = Pick<
  Database['public']['Tables']['disputes']['Row'],
  'id' | 'client_id' | 'invoice_id' | 'reason' | 'since'
> & { invoices: { number: string | null } | null };

async function fetchOpenDisputes(): Promise<Dispute[]> {
  const { data } = await supabase()
    .from('disputes')
    .select('id, client_id, invoice_id, reason, since, invoices(number)')
    .is('ended_at', null)
    .order('since')
    .order('id')
    .limit(1000)
    .returns<Dispute[]>()
    .throwOnError();
  return data;
}

/** Those that have not ended, the oldest first. */
export const useOpenDisputes = () =>
  useLiveQuery('disputes', invoicesKey, {
    queryKey: [...invoicesKey, 'disputes'],
    queryFn: fetchOpenDisputes,
  });

/** @returns those of the invoice, and of its client's whole account */
export const disputesOf = (
  disputes: readonly Dispute[],
  { id, client_id }: { id: string; client_id: string },
): Dispute[] =>
  disputes.filter(
    (dispute) =>
      dispute.client_id === client_id && (dispute.invoice_id === null || dispute.invoice_id === id),
  );

export const disputeSchema = z.object({ reason: reasonField });

type Opened = { client: string; invoice?: string; reason: string };

async function openDispute({ client, invoice, reason }: Opened) {
  await requireUserId();
  await supabase()
    .rpc('open_dispute', {
      p_client_id: client,
      p_reason: reason,
      ...(invoice ? { p_invoice_id: invoice } : {}),
    })
    .throwOnError();
}

async function endDispute({ id, outcome }: { id: string; outcome: string }) {
  await requireUserId();
  await supabase().rpc('end_dispute', { p_id: id, p_outcome: outcome }).throwOnError();
}

export const useOpenDispute = () => useChange(invoicesKey, openDispute);
export const useEndDispute = () => useChange(invoicesKey, endDispute);
