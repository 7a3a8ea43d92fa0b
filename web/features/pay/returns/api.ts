import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type PayForm, payArguments } from '#web/components/tax-return/tax-return.ts';
import { returnsKey } from '#web/lib/data/keys.ts';
import { PAGE_SIZE } from '#web/lib/data/pages.ts';
import { withAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import {
  AMOUNT_COLUMNS,
  type Certified,
  type CompanyForm,
  certificatesSchema,
  type FormatForm,
  type ReturnRow,
  type Schedule,
  scheduleSchema,
} from './schema.ts';
import type { ReturnKind } from './search.ts';

/**
 * @param month yyyy-MM
 * @param page from 1; without it the schedule has everybody
 */
async function fetchSchedule(month: string, kind: ReturnKind, page?: number): Promise<Schedule> {
  const { data } = await supabase()
    .rpc('statutory_schedule', {
      p_month: `${month}-01`,
      p_kind: kind,
      ...(page === undefined ? {} : { p_page: page, p_size: PAGE_SIZE }),
    })
    .throwOnError();
  return scheduleSchema.parse(data);
}

/** Null before it is prepared. */
async function fetchReturn(month: string, kind: ReturnKind) {
  const { data } = await supabase()
    .from('pay_returns')
    .select('*')
    .eq('kind', kind)
    .eq('month', `${month}-01`)
    .maybeSingle()
    .throwOnError();
  return data;
}

async function fetchOpened(month: string, kind: ReturnKind, page?: number) {
  const [schedule, payReturn] = await Promise.all([
    fetchSchedule(month, kind, page),
    fetchReturn(month, kind),
  ]);
  return { schedule, payReturn };
}
export type OpenedReturn = Awaited<ReturnType<typeof fetchOpened>>;

/** With everybody, for a file. */
export const fetchWholeReturn = (month: string, kind: ReturnKind) => fetchOpened(month, kind);

const LIVE = ['pay_runs', 'pay_rates', 'pay_returns'] as const;

/** @param page from 1 */
export const useReturn = (month: string, kind: ReturnKind, page: number) =>
  useLiveQuery(LIVE, returnsKey, {
    queryKey: [...returnsKey, month, kind, page],
    queryFn: () => fetchOpened(month, kind, page),
    placeholderData: keepPreviousData,
  });

type OfMonth = { month: string; kind: ReturnKind };

const keyOf = ({ month, kind }: OfMonth) => ({ p_kind: kind, p_month: `${month}-01` });

async function prepare(of: OfMonth) {
  await requireUserId();
  await supabase().rpc('prepare_pay_return', keyOf(of)).throwOnError();
}

async function file({
  filed_on,
  reference,
  ...of
}: OfMonth & Record<'filed_on' | 'reference', string>) {
  await requireUserId();
  await supabase()
    .rpc('file_pay_return', { ...keyOf(of), p_filed_on: filed_on, p_reference: reference })
    .throwOnError();
}

async function pay({ form, ...of }: OfMonth & { form: PayForm }) {
  await requireUserId();
  await supabase()
    .rpc('pay_pay_return', { ...keyOf(of), ...payArguments(form) })
    .throwOnError();
}

async function reopen({ reason, ...of }: OfMonth & { reason: string }) {
  await requireUserId();
  await supabase()
    .rpc('reopen_pay_return', { ...keyOf(of), p_reason: reason })
    .throwOnError();
}

export const usePrepare = () => useChange(returnsKey, prepare);
export const useFile = () => useChange(returnsKey, file);
export const usePay = () => useChange(returnsKey, pay);
export const useReopen = () => useChange(returnsKey, reopen);

/** @param year yyyy */
async function fetchYear(kind: ReturnKind, year: string) {
  const { data } = await supabase()
    .rpc('pay_return_year', { p_kind: kind, p_year: Number(year) })
    .throwOnError();
  return data;
}

export const useReturnYear = (kind: ReturnKind, year: string) =>
  useLiveQuery(['pay_runs', 'pay_returns'], returnsKey, {
    queryKey: [...returnsKey, 'year', kind, year],
    queryFn: () => fetchYear(kind, year),
  });

type CertificatePage = { page: number; size: number; staffId?: string };

async function fetchCertificates(year: string, { page, size, staffId }: CertificatePage) {
  const { data } = await supabase()
    .rpc('pay_certificates', {
      p_year: Number(year),
      p_page: page,
      p_size: size,
      ...(staffId !== undefined && { p_staff_id: staffId }),
    })
    .throwOnError();
  return certificatesSchema.parse(data);
}

/** @param page from 1 */
export const useCertificates = (year: string, page: number) =>
  useLiveQuery('pay_runs', returnsKey, {
    queryKey: [...returnsKey, 'certificates', year, page],
    queryFn: () => fetchCertificates(year, { page, size: PAGE_SIZE }),
    placeholderData: keepPreviousData,
  });

/** People in one request of a file with everybody's certificate. */
const BATCH = 200;

export async function fetchAllCertificates(year: string): Promise<Certified[]> {
  const all: Certified[] = [];
  for (let page = 1; ; page += 1) {
    const { rows, count } = await fetchCertificates(year, { page, size: BATCH });
    all.push(...rows);
    if (rows.length === 0 || all.length >= count) return all;
  }
}

async function fetchCompanyNumbers() {
  const { data } = await supabase().from('company_numbers').select('*').single().throwOnError();
  return data;
}

export const useCompanyNumbers = () =>
  useLiveQuery('company_numbers', returnsKey, {
    queryKey: [...returnsKey, 'company'],
    queryFn: fetchCompanyNumbers,
  });

async function saveCompanyNumbers({ id, form }: { id: string; form: CompanyForm }) {
  await requireUserId();
  await supabase()
    .from('company_numbers')
    .update({ tin: orNull(form.tin), nasscorp_number: orNull(form.nasscorp_number) })
    .eq('id', id)
    .select('id')
    .single()
    .throwOnError();
}

export const useSaveCompanyNumbers = () => useChange(returnsKey, saveCompanyNumbers);

/** @param page from 1 */
async function fetchMissing(page: number) {
  const { data, count } = await supabase()
    .rpc('missing_tax_numbers', undefined, { count: 'exact', get: true })
    .range((page - 1) * PAGE_SIZE, page * PAGE_SIZE - 1)
    .throwOnError();
  return { rows: data, total: count ?? 0 };
}

/** @param page from 1 */
export const useMissingNumbers = (page: number) =>
  useLiveQuery(['company_numbers', 'staff', 'clients'], returnsKey, {
    queryKey: [...returnsKey, 'missing', page],
    queryFn: () => fetchMissing(page),
    placeholderData: keepPreviousData,
  });

async function fetchFormats() {
  const { data } = await supabase()
    .from('tax_number_formats')
    .select('*')
    .order('kind', { ascending: false })
    .order('effective_from', { ascending: false })
    .throwOnError();
  return data;
}

export const useFormats = () =>
  useQuery({ queryKey: [...returnsKey, 'formats'], queryFn: fetchFormats });

async function addFormat(form: FormatForm) {
  const created_by = await requireUserId();
  await supabase().from('tax_number_formats').insert(withAuthor(form, created_by)).throwOnError();
}

export const useAddFormat = () => useChange(returnsKey, addFormat);

async function deleteFormat(id: string) {
  await requireUserId();
  await supabase().from('tax_number_formats').delete().eq('id', id).throwOnError();
}

export const useDeleteFormat = () => useChange(returnsKey, deleteFormat);

/** @param month yyyy-MM */
export const buildFileName = (month: string, kind: ReturnKind) => `${kind}-${month}`;

export async function exportSchedule(month: string, kind: ReturnKind, format: TableFormat) {
  const { rows } = await fetchSchedule(month, kind);
  const columns: TableColumn<ReturnRow>[] = [
    { heading: 'Name', value: (row) => row.full_name },
    { heading: 'TIN', value: (row) => row.tin },
    { heading: 'NASSCORP Number', value: (row) => row.nasscorp_number },
    { heading: 'Resident', value: (row) => (row.tax_resident ? 'Yes' : 'No') },
    { heading: 'Currency', value: (row) => row.currency },
    ...AMOUNT_COLUMNS[kind].map(({ name, of }) => ({
      heading: name,
      kind: 'amount' as const,
      value: (row: ReturnRow) => String(of(row)),
    })),
  ];
  await downloadTable(format, buildFileName(month, kind), columns, rows);
}
