// Tax that clients kept from their payments, and the certificates for it.
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { bookDayField } from '#web/lib/form-fields/day-field.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export type Withheld = Pick<
  Database['public']['Tables']['receipts']['Row'],
  'id' | 'client_id' | 'currency' | 'amount' | 'withheld' | 'received_on' | 'reference'
> & { clients: { name: string } };

export const certificateSchema = z.object({
  number: textField('Number', limits.RECEIPTS_WITHHOLDING_CERTIFICATE_MAX).min(
    1,
    'Number is required',
  ),
  on: bookDayField('Day is required', 'Day'),
});

async function fetchWithheld() {
  const { data } = await supabase()
    .from('receipts')
    .select('id, client_id, currency, amount, withheld, received_on, reference, clients(name)')
    .gt('withheld', 0)
    .is('withholding_certificate', null)
    .is('voided_at', null)
    .order('received_on')
    .order('id')
    .limit(1000)
    .returns<Withheld[]>()
    .throwOnError();
  return data;
}

/** Receipts whose certificate is still to come, the oldest first. */
export const useWithheld = () =>
  useLiveQuery('receipts', invoicesKey, {
    queryKey: [...invoicesKey, 'withheld'],
    queryFn: fetchWithheld,
  });

async function enterCertificate({ id, number, on }: { id: string; number: string; on: string }) {
  await requireUserId();
  await supabase()
    .rpc('set_withholding_certificate', { p_receipt_id: id, p_number: number, p_on: on })
    .throwOnError();
}

export const useEnterCertificate = () => useChange(invoicesKey, enterCertificate);
