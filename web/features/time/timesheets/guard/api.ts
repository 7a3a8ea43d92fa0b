import { useQuery } from '@tanstack/react-query';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { timesheetsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { today } from '#web/lib/format/dates.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { SHEET_TABLES, sheetQuery } from '../sheet-api.ts';

/** A year of monthly pay, a quarter of weekly pay. */
const MOST_SHOWN = 13;

const COLUMNS = 'id, period_start, period_end, status' as const;

/** Newest first; those of coming periods only have planned shifts. */
async function fetchOwnSheets(userId: string) {
  const { data } = await supabase()
    .from('timesheets')
    .select(COLUMNS)
    .eq('user_id', userId)
    .lte('period_start', today())
    .order('period_start', { ascending: false })
    .limit(MOST_SHOWN)
    .throwOnError();
  return data;
}
export type OwnSheet = Awaited<ReturnType<typeof fetchOwnSheets>>[number];

export const useOwnSheets = (userId: string) =>
  useLiveQuery(ownRows(userId, ...SHEET_TABLES), timesheetsKey, {
    queryKey: [...timesheetsKey, 'own', userId],
    queryFn: () => fetchOwnSheets(userId),
    meta: PERSISTED,
  });

/** With its days, also when the phone is offline. */
export const useOwnSheet = (id: string) => useQuery({ ...sheetQuery(id), meta: PERSISTED });

async function submitSheet(id: string): Promise<void> {
  await supabase().rpc('submit_timesheet', { id }).throwOnError();
}

export const useSubmitSheet = () => useChange(timesheetsKey, submitSheet);
