import { dispatchKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

const MOST = 500;

async function fetchPanels() {
  const { data } = await supabase()
    .from('alarm_panels')
    .select('id, name, account, site_id, updated_at, sites(name), panel_events(body, received_at)')
    .order('name')
    .order('received_at', { referencedTable: 'panel_events', ascending: false })
    .limit(1, { referencedTable: 'panel_events' })
    .limit(MOST)
    .throwOnError();
  return data;
}
export type AlarmPanel = Awaited<ReturnType<typeof fetchPanels>>[number];

export const usePanels = () =>
  useLiveQuery(['alarm_panels', 'panel_events'], dispatchKey, {
    queryKey: [...dispatchKey, 'panels'],
    queryFn: fetchPanels,
  });

/** What the panel needs, shown once. */
export type PanelAccess = { name: string; address: string; secret: string };

async function newSecret({ id, name }: Pick<AlarmPanel, 'id' | 'name'>): Promise<PanelAccess> {
  const { data } = await supabase().rpc('new_panel_secret', { p_panel_id: id }).throwOnError();
  return { name, address: `${location.origin}/alarms/in/${id}`, secret: data };
}

type PanelValues = {
  id: string;
  name: string;
  siteId: string;
  account: string;
  /** `updated_at` of the version on screen; undefined for a new panel. */
  seen: string | undefined;
};

async function savePanel({ id, name, siteId, account, seen }: PanelValues) {
  await supabase()
    .rpc('save_panel', {
      p_id: id,
      p_name: name,
      p_site_id: siteId,
      ...(account && { p_account: account }),
      ...(seen !== undefined && { p_seen: seen }),
    })
    .throwOnError();
}

async function deletePanel(id: string): Promise<void> {
  await supabase().rpc('delete_panel', { p_id: id }).throwOnError();
}

export const useNewPanelSecret = () => useChange(dispatchKey, newSecret);
export const useSavePanel = () => useChange(dispatchKey, savePanel);
export const useDeletePanel = () => useChange(dispatchKey, deletePanel);
