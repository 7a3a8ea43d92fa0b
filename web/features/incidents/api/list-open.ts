// The newest incidents that nobody has taken up yet.
import { useQuery } from '@tanstack/react-query';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { incidentsKey } from '../../../lib/data/keys.ts';

const SHOWN = 5;

async function listOpen() {
  const { data } = await supabase()
    .from('incidents')
    .select('id, title, severity, created_at, sites(name)')
    .eq('status', 'open')
    .order('created_at', { ascending: false })
    .limit(SHOWN)
    .throwOnError();
  return data;
}

export function useOpenIncidents() {
  useLiveTable('incidents', incidentsKey);
  return useQuery({ queryKey: [...incidentsKey, 'open, newest'], queryFn: listOpen });
}
