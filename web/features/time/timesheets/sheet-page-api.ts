import { timesheetsKey } from '#web/lib/data/keys.ts';
import { fetchNameOf } from '#web/lib/data/lookups.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { fetchSheet, SHEET_TABLES } from './sheet-api.ts';

/** The person's timesheets right before and after this one. */
async function fetchNeighbours(userId: string, start: string) {
  const own = () => supabase().from('timesheets').select('id').eq('user_id', userId).limit(1);
  const [before, after] = await Promise.all([
    own()
      .lt('period_start', start)
      .order('period_start', { ascending: false })
      .maybeSingle()
      .throwOnError(),
    own().gt('period_start', start).order('period_start').maybeSingle().throwOnError(),
  ]);
  return { before: before.data?.id, after: after.data?.id };
}

/** @param records ids of attendance */
async function fetchDecisions(records: string[]) {
  if (records.length === 0) return [];
  const { data } = await supabase()
    .from('time_decisions')
    .select('attendance_id, kind, approved')
    .in('attendance_id', [...new Set(records)])
    .throwOnError();
  return data;
}

const fetchName = async (id: string | null) => (id === null ? null : fetchNameOf(id));

async function fetchNamedSheet(id: string) {
  const sheet = await fetchSheet(id);
  if (!sheet) return null;
  const [guard, approver, decisions, neighbours] = await Promise.all([
    fetchName(sheet.user_id),
    fetchName(sheet.approved_by),
    fetchDecisions(sheet.segments.flatMap(({ attendance_id: record }) => record ?? [])),
    fetchNeighbours(sheet.user_id, sheet.period_start),
  ]);
  return { ...sheet, guard, approver, decisions, ...neighbours };
}
export type NamedSheet = NonNullable<Awaited<ReturnType<typeof fetchNamedSheet>>>;

/** The data is null when the timesheet does not exist, or row-level security hides it. */
export const useNamedSheet = (id: string) =>
  useLiveQuery(SHEET_TABLES, timesheetsKey, {
    queryKey: [...timesheetsKey, 'page', id],
    queryFn: () => fetchNamedSheet(id),
  });

async function reopenSheet({ id, reason }: { id: string; reason: string }): Promise<void> {
  await supabase().rpc('reopen_timesheet', { id, reason }).throwOnError();
}

export const useReopenSheet = () => useChange(timesheetsKey, reopenSheet);
