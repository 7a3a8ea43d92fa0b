// Reports by telephone, the owner and the due time.
import { useQuery } from '@tanstack/react-query';
import type { Choice } from '#web/components/ui/picker.tsx';
import { insertOnce } from '#web/lib/data/insert-once.ts';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { orNull } from '#web/lib/form-fields/text-field.ts';
import { fromLocalInput } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { updateIncident } from './api.ts';
import { toReport } from './guard/report-schema.ts';
import type { FollowUp, PhonedReport } from './office-schema.ts';
import { findName } from './schema.ts';

async function fetchOwners(siteId: string | undefined): Promise<Choice[]> {
  const { data } = await supabase()
    .rpc('incident_owners', siteId ? { p_site_id: siteId } : {})
    .throwOnError();
  return data.map((person) => ({ id: person.id, label: findName(person) ?? 'User' }));
}

/** Who may follow up incidents of the site, or of any site. */
export function useOwners(siteId?: string) {
  return useQuery({
    queryKey: ['incident-owners', siteId],
    queryFn: () => fetchOwners(siteId),
  });
}

/** @returns the id of the new incident */
async function enterReport({ form, id }: { form: PhonedReport; id: string }): Promise<string> {
  const { person_id, caller, ...report } = form;
  const row = {
    ...toReport(report),
    id,
    raised_by_user_id: person_id || null,
    caller: person_id ? null : orNull(caller),
  };
  const incidents = () => supabase().from('incidents');
  await insertOnce(row, {
    insert: () => incidents().insert(row).throwOnError(),
    fetchStored: () => incidents().select().eq('id', id).maybeSingle().throwOnError(),
  });
  return id;
}

export const useEnterReport = () => useChange(incidentsKey, enterReport);

type FollowUpChange = { id: string; seen: string; form: FollowUp };

const saveFollowUp = ({ id, seen, form }: FollowUpChange) =>
  updateIncident(id, seen, {
    owner_id: form.owner_id || null,
    due_at: fromLocalInput(form.due_at) ?? null,
  });

export const useSaveFollowUp = () => useChange(incidentsKey, saveFollowUp);
