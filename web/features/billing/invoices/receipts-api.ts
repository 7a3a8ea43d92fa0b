// Money for an invoice: receipts, tax that the client withheld, money on account, small differences.
import { useQuery } from '@tanstack/react-query';
import { centsToNumber, parseCents } from '#shared/money.ts';
import { WITHHOLDING } from '#shared/tax-names.ts';
import { refuseSimilar, type SimilarReceipt } from '#web/components/receipts/similar-receipts.tsx';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Invoice, isOwed, type ReceiptForm } from './schema.ts';

const sumOf = (a: number, b: number) => centsToNumber(parseCents(a) + parseCents(b));

type Recording = {
  invoice: Invoice;
  form: ReceiptForm;
  /** Called with receipts that are like it, which must be looked at first. */
  onSimilar: (receipts: SimilarReceipt[]) => void;
};

async function recordReceipt({ invoice, form, onSimilar }: Recording) {
  await requireUserId();
  const amount = amountOrNull(form.amount) ?? 0;
  const withheld = amountOrNull(form.withheld) ?? 0;
  if (!form.is_another) {
    const { id, received_on: receivedOn, reference } = form;
    const { client_id: client, currency } = invoice;
    await refuseSimilar({ id, client, currency, amount, receivedOn, reference }, onSimilar);
  }
  const { data } = await supabase()
    .rpc('record_receipt', {
      p_client_id: invoice.client_id,
      p_currency: invoice.currency,
      p_amount: amount,
      p_withheld: withheld,
      p_received_on: form.received_on,
      p_method: form.method,
      p_reference: form.reference,
      ...(form.bank_account_id ? { p_bank_account_id: form.bank_account_id } : {}),
      // The excess over the invoice stays on the client's account.
      p_allocations: [
        {
          invoice_id: invoice.id,
          amount: Math.min(sumOf(amount, withheld), invoice.open_amount ?? 0),
        },
      ],
      p_id: form.id,
    })
    .throwOnError();
  return data;
}

/** The rate at which clients withhold tax on a day. */
async function fetchWithholding() {
  const { data } = await supabase()
    .from('tax_rates')
    .select('rate')
    .eq('name', WITHHOLDING)
    .lte('effective_from', today())
    .order('effective_from', { ascending: false })
    .limit(1)
    .throwOnError();
  return data[0]?.rate ?? null;
}

export const useWithholding = () =>
  useQuery({ queryKey: [...invoicesKey, 'withholding'], queryFn: fetchWithholding });

async function fetchWriteOffLimit(currency: string) {
  const { data } = await supabase().rpc('write_off_limit', { p_currency: currency }).throwOnError();
  return data;
}

/** Up to how much of an invoice may be written off. */
export const useWriteOffLimit = (invoice: Invoice) =>
  useQuery({
    queryKey: [...invoicesKey, 'write-off limit', invoice.currency],
    queryFn: () => fetchWriteOffLimit(invoice.currency),
    enabled: isOwed(invoice),
  });

async function writeOff({ id, reason }: { id: string; reason: string }) {
  await requireUserId();
  await supabase().rpc('write_off_invoice', { p_invoice_id: id, p_reason: reason }).throwOnError();
}

export const useWriteOff = () => useChange(invoicesKey, writeOff);

async function fetchMoneyOnAccount({ client_id, currency }: Invoice) {
  const { data } = await supabase()
    .from('receipts')
    .select('id, unallocated')
    .eq('client_id', client_id)
    .eq('currency', currency)
    .is('voided_at', null)
    .gt('unallocated', 0)
    .order('received_on')
    .order('id')
    .throwOnError();
  return data;
}
export type MoneyOnAccount = Awaited<ReturnType<typeof fetchMoneyOnAccount>>;

/** The client's receipts, in the currency of the invoice, of which something is left. */
export const useMoneyOnAccount = (invoice: Invoice) =>
  useLiveQuery('receipts', invoicesKey, {
    queryKey: [...invoicesKey, 'money on account', invoice.client_id, invoice.currency],
    queryFn: () => fetchMoneyOnAccount(invoice),
    enabled: isOwed(invoice),
  });

/** Each receipt pays the client's oldest open invoices. */
async function payFromAccount(receipts: MoneyOnAccount) {
  await requireUserId();
  for (const { id } of receipts) {
    await supabase().rpc('allocate_receipt', { p_receipt_id: id }).throwOnError();
  }
}

export const useRecordReceipt = () => useChange(invoicesKey, recordReceipt);
export const usePayFromAccount = () => useChange(invoicesKey, payFromAccount);
