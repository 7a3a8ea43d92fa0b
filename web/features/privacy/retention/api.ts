import { useQuery } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { retentionKey } from '#web/lib/data/keys.ts';
import { changeOne } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { supabase } from '#web/lib/supabase/client.ts';

export type RetentionRow = Database['public']['Functions']['retention_overview']['Returns'][number];

async function fetchOverview(): Promise<RetentionRow[]> {
  const { data } = await supabase().rpc('retention_overview').throwOnError();
  return data;
}

export const useRetention = () =>
  useQuery({ queryKey: [...retentionKey, 'overview'], queryFn: fetchOverview });

export type ErasureRow = Database['public']['Functions']['erasure_overview']['Returns'][number];

async function fetchErasures(): Promise<ErasureRow[]> {
  const { data } = await supabase().rpc('erasure_overview').throwOnError();
  return data;
}

export const useErasures = () =>
  useQuery({ queryKey: [...retentionKey, 'erasures'], queryFn: fetchErasures });

/** @returns how many records a period would end; counted to 10,000 for each table */
export async function fetchLoss(kind: string, days: number): Promise<number> {
  const { data } = await supabase()
    .rpc('retention_loss', { p_kind: kind, p_days: days })
    .throwOnError();
  return data;
}

async function saveDays({ id, days }: { id: string; days: number }): Promise<void> {
  await changeOne(supabase().from('retention_rules').update({ days }).eq('id', id), 'period');
}

export const useSaveDays = () => useChange(retentionKey, saveDays);
