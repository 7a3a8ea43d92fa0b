// One timesheet with its days, for the office and for its owner.
import { queryOptions } from '@tanstack/react-query';
import { timesheetsKey } from '#web/lib/data/keys.ts';
import { toDay } from '#web/lib/format/dates.ts';
import { dayAfter, startOfDay } from '#web/lib/format/days.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Duty } from './sheet-days.ts';

const SHEET = `*, days:timesheet_days(*),
  segments:time_segments(id, day, starts_at, ends_at, minutes, class, rule, attendance_id),
  disputes:timesheet_disputes(id, day, note, status, answer, answered_at, created_at)` as const;

type Owned = { user_id: string; period_start: string; period_end: string };

/** Planned shifts that touch the period; empty for readers who may not see the roster. */
async function fetchDuties({ user_id, period_start, period_end }: Owned): Promise<Duty[]> {
  const { data } = await supabase()
    .from('assignments')
    .select('id, starts_at, shift:shifts!inner(end_time, site:sites!inner(name))')
    .eq('user_id', user_id)
    .neq('status', 'cancelled')
    .gte('starts_at', startOfDay(dayAfter(period_start, -1)))
    .lt('starts_at', startOfDay(dayAfter(period_end, 1)))
    .throwOnError();
  return data.flatMap(({ id, starts_at, shift }) => {
    if (starts_at === null) return [];
    const { name } = shift.site;
    return { id, site: name, starts_at, ends_at: shift.end_time, plan_day: toDay(starts_at) };
  });
}

/** @returns null if there is no such timesheet, or row-level security hides it */
export async function fetchSheet(id: string) {
  const { data } = await supabase()
    .from('timesheets')
    .select(SHEET)
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data && { ...data, duties: await fetchDuties(data) };
}
export type Sheet = NonNullable<Awaited<ReturnType<typeof fetchSheet>>>;

export const SHEET_TABLES = ['timesheets', 'timesheet_disputes', 'time_decisions'] as const;

export const sheetQuery = (id: string) =>
  queryOptions({ queryKey: [...timesheetsKey, 'one', id], queryFn: () => fetchSheet(id) });
