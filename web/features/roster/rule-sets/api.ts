import { ruleSetsKey } from '#web/lib/data/keys.ts';
import { recordChanges, withoutAuthor } from '#web/lib/data/records.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { toRow } from './schema.ts';

/** Newest first. */
async function fetchRuleSets() {
  const { data } = await supabase()
    .from('rule_sets')
    .select('*, author:profiles!created_by(full_name, email)')
    .order('effective_from', { ascending: false })
    .limit(200)
    .throwOnError();
  return data;
}

export type ListedRuleSet = Awaited<ReturnType<typeof fetchRuleSets>>[number];

export const useRuleSets = () =>
  useLiveQuery('rule_sets', ruleSetsKey, {
    queryKey: [...ruleSetsKey, 'list'],
    queryFn: fetchRuleSets,
  });

export const ruleSets = recordChanges({
  table: 'rule_sets',
  key: ruleSetsKey,
  name: 'rule set',
  toColumns: toRow,
  toNewRow: withoutAuthor,
  duplicate: 'Another rule set begins on this day.',
});
