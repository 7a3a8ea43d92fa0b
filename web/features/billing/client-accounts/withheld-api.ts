// Tax that clients kept from their payments, and the certificates for it.
import { keepPreviousData } from '@tanstack/react-query';
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

export type Currency = Database['public']['Tables']['receipts']['Row']['currency'];

export type Withheld = Pick<
  Database['public']['Tables']['receipts']['Row'],
  | 'id'
  | 'client_id'
  | 'currency'
  | 'withheld'
  | 'received_on'
  | 'reference'
  | 'withholding_certificate'
  | 'certificate_on'
  | 'certificate_path'
> & { clients: { name: string } };

export const certificateSchema = z.object({
  number: textField('Number', limits.RECEIPTS_WITHHOLDING_CERTIFICATE_MAX).min(
    1,
    'Number is required',
  ),
  on: bookDayField('Day is required', 'Day'),
});

const withheld = () =>
  supabase()
    .from('receipts')
    .select(
      `id, client_id, currency, withheld, received_on, reference, withholding_certificate, certificate_on,
       certificate_path, clients(name)`,
      { count: 'exact' },
    )
    .gt('withheld', 0)
    .is('voided_at', null);

async function fetchWithheld() {
  const { data } = await withheld()
    .is('withholding_certificate', null)
    .order('received_on')
    .order('id')
    .limit(1000)
    .returns<Withheld[]>()
    .throwOnError();
  return data;
}

async function fetchCertified(currency: Currency | undefined, page: number) {
  const all = withheld().not('withholding_certificate', 'is', null);
  const { data, count } = await (currency === undefined ? all : all.eq('currency', currency))
    .order('certificate_on', { ascending: false })
    .order('id')
    .range((page - 1) * CERTIFIED_PAGE, page * CERTIFIED_PAGE - 1)
    .returns<Withheld[]>()
    .throwOnError();
  return { rows: data, total: count ?? 0 };
}

/** Few, because the statement is above. */
export const CERTIFIED_PAGE = 5;

/** Receipts whose certificate has come, the newest first. @param page from 1 */
export const useCertified = (currency: Currency | undefined, page: number) =>
  useLiveQuery('receipts', invoicesKey, {
    queryKey: [...invoicesKey, 'certified', currency, page],
    queryFn: () => fetchCertified(currency, page),
    placeholderData: keepPreviousData,
  });

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
