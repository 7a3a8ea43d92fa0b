// Money on account of a client, and what of it goes back.
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import type { Database } from '#shared/database.types.ts';
import { type INVOICES_CURRENCY, REFUNDS_METHOD } from '#shared/database.values.ts';
import { parseCents } from '#shared/money.ts';
import { usesBankAccount } from '#web/lib/data/company-accounts.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { amountField, amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { bookDayField } from '#web/lib/form-fields/day-field.ts';
import { reasonField, textField } from '#web/lib/form-fields/text-field.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';

type Tables = Database['public']['Tables'];
export type OnAccount = Pick<
  Tables['receipts']['Row'],
  'id' | 'amount' | 'unallocated' | 'received_on' | 'method' | 'reference' | 'currency'
>;
export type Refund = Tables['refunds']['Row'] & {
  clients: { name: string };
  /** Null once the account is deleted. */
  asked: { full_name: string } | null;
  bank_accounts: { bank_name: string; account_number: string } | null;
};

export type Account = { client: string; currency: (typeof INVOICES_CURRENCY)[number] };

async function fetchOnAccount({ client, currency }: Account): Promise<OnAccount[]> {
  const { data } = await supabase()
    .from('receipts')
    .select('id, amount, unallocated, received_on, method, reference, currency')
    .eq('client_id', client)
    .eq('currency', currency)
    .is('voided_at', null)
    .gt('unallocated', 0)
    .order('received_on')
    .order('id')
    .limit(1000)
    .throwOnError();
  return data;
}

/** Receipts of which something pays no invoice. */
export const useOnAccount = (account: Account) =>
  useLiveQuery(['receipts', 'refunds'], invoicesKey, {
    queryKey: [...invoicesKey, 'on account', account],
    queryFn: () => fetchOnAccount(account),
  });

/** @param account without one: those of all clients that wait for a decision */
async function fetchRefunds(account: Account | undefined): Promise<Refund[]> {
  let query = supabase()
    .from('refunds')
    .select(
      '*, clients(name), asked:profiles!refunds_asked_by_fkey(full_name), bank_accounts(bank_name, account_number)',
    )
    .order('created_at', { ascending: false })
    .order('id')
    .limit(1000);
  query = account
    ? query.eq('client_id', account.client).eq('currency', account.currency)
    : query.eq('status', 'asked');
  const { data } = await query.returns<Refund[]>().throwOnError();
  return data;
}

export const useRefunds = (account?: Account) =>
  useLiveQuery('refunds', invoicesKey, {
    queryKey: [...invoicesKey, 'refunds', account ?? 'asked'],
    queryFn: () => fetchRefunds(account),
  });

/** @param most how much of the receipt is on account */
export const askSchema = (most: number) =>
  z.object({
    /** Made when the form opens, so that a repeated save asks once. */
    id: z.uuid(),
    amount: amountField({
      name: 'Amount',
      required: 'Amount is required',
      negative: 'Amount cannot be negative',
    })
      .refine((entry) => (amountOrNull(entry) ?? 0) > 0, 'Amount must be greater than 0')
      .refine(
        (entry) => parseCents(amountOrNull(entry)) <= parseCents(most),
        'The receipt has less money on account',
      ),
    method: z.enum(REFUNDS_METHOD),
    /** Empty: not said. */
    bank_account_id: z.string(),
    reason: reasonField,
  });
export type AskForm = z.infer<ReturnType<typeof askSchema>>;

export const paySchema = z.object({
  paid_on: bookDayField('Day is required', 'Day'),
  reference: textField('Reference', limits.REFUNDS_REFERENCE_MAX),
});
export type PayForm = z.infer<typeof paySchema>;

export const returnSchema = z.object({
  returned_on: bookDayField('Day is required', 'Day'),
  reason: reasonField,
});
export type ReturnForm = z.infer<typeof returnSchema>;

async function askRefund({ receipt, form }: { receipt: string; form: AskForm }) {
  await requireUserId();
  await supabase()
    .rpc('ask_refund', {
      p_receipt_id: receipt,
      p_amount: amountOrNull(form.amount) ?? 0,
      p_method: form.method,
      p_reason: form.reason,
      ...(form.bank_account_id && usesBankAccount(form.method)
        ? { p_bank_account_id: form.bank_account_id }
        : {}),
      p_id: form.id,
    })
    .throwOnError();
}

async function payRefund({ id, form }: { id: string; form: PayForm }) {
  await requireUserId();
  await supabase()
    .rpc('decide_refund', {
      p_id: id,
      p_approve: true,
      p_paid_on: form.paid_on,
      p_reference: form.reference,
    })
    .throwOnError();
}

async function declineRefund(id: string) {
  await requireUserId();
  await supabase().rpc('decide_refund', { p_id: id, p_approve: false }).throwOnError();
}

async function returnRefund({ id, form }: { id: string; form: ReturnForm }) {
  await requireUserId();
  await supabase()
    .rpc('return_refund', { p_id: id, p_returned_on: form.returned_on, p_reason: form.reason })
    .throwOnError();
}

export const useAskRefund = () => useChange(invoicesKey, askRefund);
export const usePayRefund = () => useChange(invoicesKey, payRefund);
export const useDeclineRefund = () => useChange(invoicesKey, declineRefund);
export const useReturnRefund = () => useChange(invoicesKey, returnRefund);
