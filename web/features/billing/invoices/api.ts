import { useQuery } from '@tanstack/react-query';
import { formatAmount } from '#shared/money.ts';
import { everyRow } from '#web/lib/data/every-row.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import { changeOne, existing } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { today } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { partsOf } from './credit-parts.ts';
import {
  type CreditForm,
  type CreditNote,
  type DraftForm,
  type Invoice,
  type InvoiceLine,
  isNotDue,
  type LineForm,
  lineColumns,
  type OrderForm,
  shownStatus,
} from './schema.ts';
import type { InvoiceSearch } from './search.ts';

const SELECTED = '*, clients!inner(name)';

type Filters = Pick<InvoiceSearch, 'q' | 'status' | 'currency' | 'sort'>;

const SORTS = {
  client: 'clients(name)',
  period: 'period_start',
  due: 'due_on',
  total: 'total',
  open: 'open_amount',
};

function invoicesQuery({ q = '', status, currency, sort }: Filters) {
  let query = supabase().from('invoices').select(SELECTED, { count: 'exact' });
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  if (status === 'overdue') query = query.lt('due_on', today()).gt('open_amount', 0);
  else if (status) query = query.eq('status', status);
  if (currency) query = query.eq('currency', currency);
  const { column, ascending } = parseOrder(sort, SORTS, {
    column: 'period_start',
    ascending: false,
  });
  // Rows that tie are in the order in which one looks for them.
  return query
    .order(column, { ascending })
    .order(SORTS.client)
    .order(SORTS.period, { ascending: false })
    .order('id')
    .returns<Invoice[]>();
}

export const invoiceList = listQueries('invoices', {
  key: invoicesKey,
  tables: 'invoices',
  filters: ['q', 'status', 'currency', 'sort'],
  rows: invoicesQuery,
  columns: [
    { heading: 'Number', value: (invoice) => invoice.number },
    { heading: 'Client', value: (invoice) => invoice.clients.name },
    { heading: 'From', kind: 'day', value: (invoice) => invoice.period_start },
    { heading: 'To', kind: 'day', value: (invoice) => invoice.period_end },
    { heading: 'Issued', kind: 'day', value: (invoice) => invoice.issued_on },
    { heading: 'Due', kind: 'day', value: (invoice) => invoice.due_on },
    { heading: 'Currency', value: (invoice) => invoice.currency },
    { heading: 'Total', kind: 'amount', value: (invoice) => formatAmount(invoice.total) },
    { heading: 'Open', kind: 'amount', value: (invoice) => formatAmount(invoice.open_amount) },
    { heading: 'Status', value: (invoice) => STATUS_LABELS[shownStatus(invoice)] },
  ],
});

const fetchLines = (id: string) =>
  everyRow(async (first, last) => {
    const { data } = await supabase()
      .from('invoice_lines')
      .select('*, sites(name), posts(name)')
      .eq('invoice_id', id)
      .order('position')
      .order('id')
      .range(first, last)
      .returns<InvoiceLine[]>()
      .throwOnError();
    return data;
  });

async function fetchCreditNotes(invoiceId: string) {
  const { data } = await supabase()
    .from('credit_notes')
    .select(
      '*, credit_note_lines(amount, tax_amount, quantity, unit, rate, price_with_tax, invoice_lines(id, position, description, quantity, unit, rate, price_with_tax, tax_name, tax_rate, vat_treatment))',
    )
    .eq('invoice_id', invoiceId)
    .order('year')
    .order('sequence')
    .returns<CreditNote[]>()
    .throwOnError();
  return data;
}

async function fetchInvoice(id: string) {
  const [{ data }, lines, creditNotes] = await Promise.all([
    supabase()
      .from('invoices')
      .select(`${SELECTED}, payment_details`)
      .eq('id', id)
      .returns<(Invoice & { payment_details: unknown })[]>()
      .maybeSingle()
      .throwOnError(),
    fetchLines(id),
    fetchCreditNotes(id),
  ]);
  return { invoice: existing(data, 'invoice'), lines, creditNotes };
}
export type OpenedInvoice = Awaited<ReturnType<typeof fetchInvoice>>;

export const useInvoice = (id: string) =>
  useLiveQuery(['invoices', 'invoice_lines', 'credit_notes'], invoicesKey, {
    queryKey: [...invoicesKey, 'one', id],
    queryFn: () => fetchInvoice(id),
  });

/** @returns how many drafts there are now, and how many of the contracts that are due have nothing to bill yet */
async function draft({ what, on, from, to, client, contract }: DraftForm) {
  await requireUserId();
  const { data } =
    what === 'due'
      ? await supabase()
          .rpc('draft_due_invoices', { p_on: on, ...(client ? { p_client_id: client } : {}) })
          .throwOnError()
      : await supabase()
          .rpc('draft_invoices', {
            from,
            to,
            ...(client ? { client_id: client } : {}),
            ...(contract ? { contract_id: contract } : {}),
          })
          .throwOnError();
  const drafted = data.flatMap(({ invoice_id }) => invoice_id ?? []);
  const notDue = data.filter(({ problems }) => isNotDue(problems)).length;
  return { drafted, empty: data.length - drafted.length - notDue };
}

/** @returns the number of each invoice, or why it was not issued */
export async function issueInvoices(ids: string[]) {
  await requireUserId();
  const { data } = await supabase().rpc('issue_invoices', { p_ids: ids }).throwOnError();
  return data;
}

/** @returns where each invoice goes, or why it does not */
export async function sendInvoices({ ids, email }: { ids: string[]; email?: string }) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('send_invoices', { p_ids: ids, ...(email ? { p_email: email } : {}) })
    .throwOnError();
  return data;
}

/** @returns the credit note */
async function credit({ id, form }: { id: string; form: CreditForm }) {
  await requireUserId();
  const { data } = await supabase()
    .rpc('credit_invoice_parts', {
      p_invoice_id: id,
      p_reason: form.reason,
      p_parts: partsOf(form),
    })
    .throwOnError();
  return data;
}

async function discard(id: string) {
  await requireUserId();
  await changeOne(supabase().from('invoices').delete().eq('id', id), 'draft');
}

async function addLine({ id, form }: { id: string; form: LineForm }) {
  await requireUserId();
  await supabase()
    .from('invoice_lines')
    .insert({ invoice_id: id, ...lineColumns(form) })
    .throwOnError();
}

async function saveOrder({ id, form }: { id: string; form: OrderForm }) {
  await requireUserId();
  await changeOne(
    supabase()
      .from('invoices')
      .update({ purchase_order: orNull(form.purchase_order) })
      .eq('id', id),
    'draft',
  );
}

async function removeLine(id: string) {
  await requireUserId();
  await supabase().from('invoice_lines').delete().eq('id', id).throwOnError();
}

export const useDraftInvoices = () => useChange(invoicesKey, draft);
export const useIssueInvoices = () => useChange(invoicesKey, issueInvoices);
export const useSendInvoices = () => useChange(invoicesKey, sendInvoices);
export const useCreditInvoice = () => useChange(invoicesKey, credit);
export const useDiscardInvoice = () => useChange(invoicesKey, discard);
export const useAddLine = () => useChange(invoicesKey, addLine);
export const useSaveOrder = () => useChange(invoicesKey, saveOrder);
export const useRemoveLine = () => useChange(invoicesKey, removeLine);

async function fetchHours(lineId: string) {
  const { data } = await supabase().rpc('hours_of_line', { p_line_id: lineId }).throwOnError();
  return data;
}
export type BilledPiece = Awaited<ReturnType<typeof fetchHours>>[number];

export const useHours = (lineId: string) =>
  useQuery({ queryKey: [...invoicesKey, 'hours', lineId], queryFn: () => fetchHours(lineId) });
