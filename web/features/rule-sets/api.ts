import { useQuery } from '@tanstack/react-query';
import { ruleSetsKey } from '#web/lib/data/keys.ts';
import { existing } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { codeOf } from '#web/lib/errors/error-message.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type RuleSet, type RuleSetForm, rowOf } from './schema.ts';

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

export function useRuleSets() {
  useLiveTable('rule_sets', ruleSetsKey);
  return useQuery({ queryKey: [...ruleSetsKey, 'list'], queryFn: fetchRuleSets });
}

type Save = {
  /** Undefined for a new rule set. */
  id: string | undefined;
  form: RuleSetForm;
};

async function saveRuleSet({ id, form }: Save): Promise<void> {
  const table = supabase().from('rule_sets');
  const change =
    id === undefined ? table.insert(rowOf(form)) : table.update(rowOf(form)).eq('id', id);
  try {
    const { data } = await change.select('id').maybeSingle().throwOnError();
    existing(data, 'rule set');
  } catch (error) {
    if (codeOf(error) === '23505') throw new Error('Another rule set begins on this day.');
    throw error;
  }
}

export const useSaveRuleSet = () => useChange(ruleSetsKey, saveRuleSet);

/** @returns the deleted row; null when someone else had deleted it before */
async function deleteRuleSet(id: string): Promise<RuleSet | null> {
  const { data } = await supabase()
    .from('rule_sets')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

async function restoreRuleSet(row: RuleSet): Promise<void> {
  await supabase().from('rule_sets').insert(row).throwOnError();
}

export const ruleSets = {
  name: 'rule set',
  useDelete: () => useChange(ruleSetsKey, deleteRuleSet),
  useRestore: () => useChange(ruleSetsKey, restoreRuleSet),
};
