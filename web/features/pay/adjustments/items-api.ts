import { keepPreviousData } from '@tanstack/react-query';
import { payAdjustmentsKey } from '#web/lib/data/keys.ts';
import { recordChanges, withAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type DueItem, type ItemKind, toItemRule } from './item-rule-schema.ts';

/** Few, because the list of adjustments follows below. */
export const DUE_PAGE_SIZE = 5;

async function fetchDue(kind: ItemKind, page: number): Promise<{ rows: DueItem[]; total: number }> {
  const { data } = await supabase()
    .rpc('pay_items_due', { p_kind: kind, p_page: page, p_size: DUE_PAGE_SIZE })
    .throwOnError();
  return { rows: data, total: data[0]?.total ?? 0 };
}

/** @param page from 1 */
export const useDueItems = (kind: ItemKind, page: number) =>
  useLiveQuery(['pay_item_rules', 'pay_adjustments', 'staff', 'pay_bases'], payAdjustmentsKey, {
    queryKey: [...payAdjustmentsKey, 'due', kind, page],
    queryFn: () => fetchDue(kind, page),
    placeholderData: keepPreviousData,
  });

type Entry = { kind: ItemKind; staffId?: string };

/** @returns how many adjustments were added: 0 if someone else was faster */
async function enterItems({ kind, staffId }: Entry): Promise<number> {
  await requireUserId();
  const { data } = await supabase()
    .rpc('enter_pay_items', { p_kind: kind, ...(staffId !== undefined && { p_staff_id: staffId }) })
    .throwOnError();
  return data;
}

export const useEnterItems = () => useChange(payAdjustmentsKey, enterItems);

async function fetchItemRules() {
  const { data } = await supabase()
    .from('pay_item_rules')
    .select('*')
    .order('kind')
    .order('effective_from', { ascending: false })
    .limit(200)
    .throwOnError();
  return data;
}

export const useItemRules = () =>
  useLiveQuery('pay_item_rules', payAdjustmentsKey, {
    queryKey: [...payAdjustmentsKey, 'rules'],
    queryFn: fetchItemRules,
  });

export const itemRules = recordChanges({
  table: 'pay_item_rules',
  key: payAdjustmentsKey,
  name: 'rule',
  toColumns: toItemRule,
  toNewRow: withAuthor,
  duplicate: 'There is a rule from this day already.',
});
