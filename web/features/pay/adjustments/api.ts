import { useQuery } from '@tanstack/react-query';
import { formatAmount } from '#shared/money.ts';
import { payAdjustmentsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { amountOrNull } from '#web/lib/form-fields/amount-field.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { ADJUSTMENT_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type Adjustment, findStatus, type ManualForm } from './schema.ts';
import type { AdjustmentSearch } from './search.ts';

const SELECTED =
  '*, staff(full_name), person:profiles!user_id(full_name, email), decider:profiles!decided_by(full_name, email)';

type Filters = Pick<AdjustmentSearch, 'q' | 'status' | 'kind'>;

function adjustmentsQuery({ q = '', status, kind }: Filters) {
  let query = supabase().from('pay_adjustments').select(SELECTED, { count: 'exact' });
  if (status) query = query.eq('status', status);
  if (kind) query = query.eq('kind', kind);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  return (
    query
      // "to_decide" sorts last.
      .order('status', { ascending: false })
      .order('created_at', { ascending: false })
      .order('id')
      .returns<Adjustment[]>()
  );
}

export const findPerson = ({ staff, person }: Adjustment): string =>
  staff?.full_name ?? formatName(person);

const amountOf = (amount: number | null) => (amount === null ? '' : formatAmount(amount));

export const adjustmentList = listQueries('adjustments', {
  key: payAdjustmentsKey,
  tables: 'pay_adjustments',
  filters: ['q', 'status', 'kind'],
  rows: adjustmentsQuery,
  file: 'pay-adjustments',
  columns: [
    { heading: 'Staff Name', value: findPerson },
    { heading: 'Kind', value: ({ kind }) => ADJUSTMENT_KIND_LABELS[kind] },
    { heading: 'Period Start', kind: 'day', value: (row) => row.period_start },
    { heading: 'Period End', kind: 'day', value: (row) => row.period_end },
    { heading: 'Currency', value: (row) => row.currency ?? '' },
    { heading: 'Paid', value: (row) => amountOf(row.figure_before) },
    { heading: 'Recomputed', value: (row) => amountOf(row.figure_after) },
    { heading: 'Amount', value: (row) => amountOf(row.amount) },
    { heading: 'Status', value: (row) => STATUS_LABELS[findStatus(row)] },
    { heading: 'Explanation', value: (row) => row.explanation },
    { heading: 'Note', value: (row) => row.note ?? '' },
  ],
});

async function fetchAdjustment(id: string): Promise<Adjustment | null> {
  const { data } = await supabase()
    .from('pay_adjustments')
    .select(SELECTED)
    .eq('id', id)
    .returns<Adjustment[]>()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useAdjustment = (id: string) =>
  useQuery({ queryKey: [...payAdjustmentsKey, 'one', id], queryFn: () => fetchAdjustment(id) });

async function fetchValue(id: string) {
  const { data } = await supabase().rpc('value_adjustment', { p_id: id }).throwOnError();
  return data[0] ?? null;
}

export const useValue = (id: string) =>
  useQuery({ queryKey: [...payAdjustmentsKey, 'value', id], queryFn: () => fetchValue(id) });

async function countToDecide(): Promise<number> {
  const { count } = await supabase()
    .from('pay_adjustments')
    .select('id', { count: 'exact', head: true })
    .eq('status', 'to_decide')
    .throwOnError();
  return count ?? 0;
}

export const useToDecide = () =>
  useLiveQuery('pay_adjustments', payAdjustmentsKey, {
    queryKey: [...payAdjustmentsKey, 'to decide'],
    queryFn: countToDecide,
  });

type Decision = { ids: string[]; isApproved: boolean; note: string };

/** All of them or none. @returns how many were decided */
export async function decideAdjustments({ ids, isApproved, note }: Decision): Promise<number> {
  await requireUserId();
  const { data } = await supabase()
    .rpc('decide_adjustments', {
      p_ids: ids,
      p_approve: isApproved,
      ...(note !== '' && { p_note: note }),
    })
    .throwOnError();
  return data;
}

export const useDecide = () => useChange(payAdjustmentsKey, decideAdjustments);

type Conversion = { id: string; currency: string };

/** Pays an adjustment in this currency, at the rate of today. */
async function convertAdjustment({ id, currency }: Conversion): Promise<void> {
  await requireUserId();
  await supabase().rpc('convert_adjustment', { p_id: id, p_currency: currency }).throwOnError();
}

export const useConvert = () => useChange(payAdjustmentsKey, convertAdjustment);

async function addAdjustment(form: ManualForm): Promise<void> {
  await requireUserId();
  await supabase()
    .rpc('add_adjustment', {
      p_staff_id: form.staff_id,
      p_period_start: form.period_start,
      p_period_end: form.period_end,
      p_amount: amountOrNull(form.amount) ?? 0,
      p_currency: form.currency,
      p_explanation: form.explanation,
    })
    .throwOnError();
}

export const useAddAdjustment = () => useChange(payAdjustmentsKey, addAdjustment);
