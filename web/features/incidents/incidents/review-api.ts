// Reviews of reports, approval of letters, and what waits for both.
import { useQuery } from '@tanstack/react-query';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Review } from './schema.ts';

async function fetchQueue() {
  const { data } = await supabase().rpc('incident_queue').single().throwOnError();
  return data;
}

/** How many incidents wait for each next step. */
export const useIncidentQueue = () =>
  useQuery({ queryKey: [...incidentsKey, 'queue'], queryFn: fetchQueue });

type ReviewChange = { id: string; decision: Review['decision']; note: string };

async function reviewIncident({ id, decision, note }: ReviewChange): Promise<void> {
  await supabase()
    .rpc('review_incident', { p_incident_id: id, p_decision: decision, p_note: note })
    .throwOnError();
}

export const useReviewIncident = () => useChange(incidentsKey, reviewIncident);

/** Accepts all of them or none. @returns how many */
export async function reviewIncidents(ids: string[], note: string): Promise<number> {
  const text = orNull(note);
  const { data } = await supabase()
    .rpc('review_incidents', { p_ids: ids, ...(text === null ? {} : { p_note: text }) })
    .throwOnError();
  return data;
}

async function approveLetter(id: string): Promise<void> {
  await supabase().rpc('approve_letter', { p_letter_id: id }).throwOnError();
}

export const useApproveLetter = () => useChange(incidentsKey, approveLetter);
