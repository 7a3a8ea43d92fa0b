import { useQuery } from '@tanstack/react-query';
import { VAT } from '#shared/tax-names.ts';
import { type PayForm, payArguments } from '#web/components/tax-return/tax-return.ts';
import { everyRow } from '#web/lib/data/every-row.ts';
import { vatKey } from '#web/lib/data/keys.ts';
import { recordChanges, withAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { today } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import {
  type ClientTaxForm,
  registrationColumns,
  shownExemption,
  type TaxClient,
  type VatLine,
} from './schema.ts';

export const registrations = recordChanges({
  table: 'vat_registrations',
  key: vatKey,
  name: 'registration',
  toColumns: registrationColumns,
  toNewRow: withAuthor,
});

/** Rates in force and those that wait for a second person, the next one first. */
async function fetchVatRates() {
  const [inForce, proposed] = await Promise.all([
    supabase()
      .from('tax_rates')
      .select('id, rate, effective_from, source')
      .eq('name', VAT)
      .order('effective_from', { ascending: false })
      .throwOnError(),
    supabase()
      .from('rate_proposals')
      .select('id, rate, effective_from, source')
      .eq('kind', 'tax')
      .eq('name', VAT)
      .order('effective_from')
      .throwOnError(),
  ]);
  return { inForce: inForce.data, proposed: proposed.data };
}
export type VatRates = Awaited<ReturnType<typeof fetchVatRates>>;

export const useVatRates = () =>
  useLiveQuery(['tax_rates', 'rate_proposals'], vatKey, {
    queryKey: [...vatKey, 'rates'],
    queryFn: fetchVatRates,
  });

async function fetchMonths() {
  const { data } = await supabase().rpc('vat_months').throwOnError();
  return data;
}

export const useVatMonths = () =>
  useLiveQuery(['vat_returns', 'vat_registrations'], vatKey, {
    queryKey: [...vatKey, 'months'],
    queryFn: fetchMonths,
  });

/** @param month yyyy-MM-01 @returns null while the month has no return */
async function fetchReturn(month: string) {
  const { data } = await supabase()
    .from('vat_returns')
    .select('*')
    .eq('month', month)
    .maybeSingle()
    .throwOnError();
  if (data === null) return null;
  const lines = await everyRow<VatLine>(async (first, last) => {
    const page = await supabase()
      .from('vat_return_lines')
      .select('*')
      .eq('return_id', data.id)
      .order('day')
      .order('document')
      .order('id')
      .range(first, last)
      .throwOnError();
    return page.data;
  });
  return { vatReturn: data, lines };
}
export type OpenedReturn = NonNullable<Awaited<ReturnType<typeof fetchReturn>>>;

export const useVatReturn = (month: string) =>
  useLiveQuery(['vat_returns', 'vat_return_lines'], vatKey, {
    queryKey: [...vatKey, 'return', month],
    queryFn: () => fetchReturn(month),
  });

async function prepare(month: string) {
  await requireUserId();
  await supabase().rpc('prepare_vat_return', { p_month: month }).throwOnError();
}

async function file(given: { month: string; filed_on: string; reference: string }) {
  await requireUserId();
  await supabase()
    .rpc('file_vat_return', {
      p_month: given.month,
      p_filed_on: given.filed_on,
      p_reference: given.reference,
    })
    .throwOnError();
}

async function pay({ month, form }: { month: string; form: PayForm }) {
  await requireUserId();
  await supabase()
    .rpc('pay_vat_return', { p_month: month, ...payArguments(form) })
    .throwOnError();
}

async function reopen({ month, reason }: { month: string; reason: string }) {
  await requireUserId();
  await supabase().rpc('reopen_vat_return', { p_month: month, p_reason: reason }).throwOnError();
}

export const usePrepare = () => useChange(vatKey, prepare);
export const useFile = () => useChange(vatKey, file);
export const usePay = () => useChange(vatKey, pay);
export const useReopen = () => useChange(vatKey, reopen);

async function fetchDifferences() {
  const { data } = await supabase().rpc('vat_differences').throwOnError();
  return data;
}

export const useDifferences = () =>
  useQuery({ queryKey: [...vatKey, 'differences'], queryFn: fetchDifferences });

const fetchTaxClients = () =>
  everyRow<TaxClient>(async (first, last) => {
    const { data } = await supabase()
      .from('clients')
      .select('id, name, tin, vat_exemptions(*)')
      .order('name')
      .order('id')
      .range(first, last)
      .returns<TaxClient[]>()
      .throwOnError();
    return data;
  });

/** Every client with its tax number and certificates. */
export const useTaxClients = () =>
  useLiveQuery(['clients', 'vat_exemptions'], vatKey, {
    queryKey: [...vatKey, 'clients'],
    queryFn: fetchTaxClients,
  });

/** An emptied certificate is deleted; a changed one is the same record. */
async function saveClientTax({ client, form }: { client: TaxClient; form: ClientTaxForm }) {
  await requireUserId();
  const known = shownExemption(client, today());
  const { tin, certificate, valid_from, valid_to } = form;
  await supabase()
    .rpc('set_client_tax', {
      p_client_id: client.id,
      ...(tin && { p_tin: tin }),
      ...(known && { p_exemption_id: known.id }),
      ...(certificate && { p_certificate: certificate, p_valid_from: valid_from }),
      ...(certificate && valid_to && { p_valid_to: valid_to }),
    })
    .throwOnError();
}

export const useSaveClientTax = () => useChange(vatKey, saveClientTax);
