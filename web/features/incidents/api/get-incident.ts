// One incident with its site, its evidence and its timeline, oldest first; and who reported it.
import { useQuery } from '@tanstack/react-query';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { incidentsKey } from '../../../lib/data/keys.ts';
import type { IncidentDetails } from '../schema.ts';

const SHOWN = `*, sites(name, client_name, address), evidence(*),
  incident_updates(*, author:profiles!created_by(full_name, email), incident_notes(note))`;

async function getIncident(id: string): Promise<IncidentDetails | null> {
  const { data } = await supabase()
    .from('incidents')
    .select(SHOWN)
    .eq('id', id)
    .order('created_at', { referencedTable: 'evidence' })
    .order('created_at', { referencedTable: 'incident_updates' })
    .returns<IncidentDetails[]>()
    .maybeSingle()
    .throwOnError();
  return data;
}

const TABLES = ['incident_updates', 'evidence'] as const;

/** Its data is null for an incident that does not exist, or is not this person's to see. */
export function useIncident(id: string) {
  useLiveTable(TABLES, incidentsKey);
  return useQuery({ queryKey: [...incidentsKey, 'one', id], queryFn: () => getIncident(id) });
}

async function getReporter(id: string) {
  const { data } = await supabase()
    .from('profiles')
    .select('full_name, email')
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

/** @param id null for an account that was deleted */
export function useReporter(id: string | null) {
  return useQuery({
    queryKey: ['profiles', 'reporter', id],
    queryFn: () => (id === null ? null : getReporter(id)),
  });
}
