import { handoversKey } from '#web/lib/data/keys.ts';
import { recordHooks, withoutAuthor } from '#web/lib/data/records.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { equipmentRow, equipmentSchema, toEquipmentForm } from './schema.ts';

const TABLES = ['equipment', 'handover_notes', 'handovers'] as const;
/** Newest notes and handovers. */
const SHOWN = 50;

export const equipmentRecords = (siteId: string) =>
  recordHooks({
    table: 'equipment',
    key: handoversKey,
    name: 'equipment',
    schema: equipmentSchema,
    toForm: toEquipmentForm(siteId),
    toColumns: equipmentRow,
    toNewRow: withoutAuthor,
  });

async function fetchSite(siteId: string) {
  const [{ data: equipment }, { data: notes }, { data: handovers }] = await Promise.all([
    supabase()
      .from('equipment')
      .select('*, posts(name)')
      .eq('site_id', siteId)
      .order('name')
      .order('id')
      .throwOnError(),
    supabase()
      .from('handover_notes')
      .select('id, note, written_at, posts(name), guard:profiles!user_id(full_name, email)')
      .eq('site_id', siteId)
      .order('written_at', { ascending: false })
      .limit(SHOWN)
      .throwOnError(),
    supabase()
      .from('handovers')
      .select(
        'id, side, missing, damaged, taken_at, posts(name), guard:profiles!user_id(full_name, email)',
      )
      .eq('site_id', siteId)
      .order('taken_at', { ascending: false })
      .limit(SHOWN)
      .throwOnError(),
  ]);
  return { equipment, notes, handovers };
}

/** The equipment of a site, and its newest notes and handovers. */
export const useSiteHandovers = (siteId: string) =>
  useLiveQuery(TABLES, handoversKey, {
    queryKey: [...handoversKey, siteId],
    queryFn: () => fetchSite(siteId),
    enabled: siteId !== '',
  });
