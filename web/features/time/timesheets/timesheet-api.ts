// The list of timesheets, and approving many at once.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { TIMESHEETS_STATUS } from '#shared/database.values.ts';
import { timesheetsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { PAGE_SIZE } from '#web/lib/data/pages.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { formatMinutes } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { issueLabel } from './issue-kinds.ts';
import { shownPeriod, type TimesheetFilters } from './search.ts';
import { SHEET_TABLES } from './sheet-api.ts';

type OverviewRow = Database['public']['Functions']['timesheet_overview']['Returns'][number];
export type ListedSheet = Omit<OverviewRow, 'status'> & {
  status: (typeof TIMESHEETS_STATUS)[number];
};

const statusSchema = z.enum(TIMESHEETS_STATUS);

/** Arguments of the functions that find timesheets; those that are left out filter nothing. */
export function argumentsOf({ q, site, ...period }: TimesheetFilters) {
  const { start, end } = shownPeriod(period);
  return {
    p_from: start,
    p_to: end,
    ...(q && { p_search: q }),
    ...(site && { p_site: site }),
  };
}

async function fetchRows(filters: TimesheetFilters, first: number, last: number) {
  const { status, issue, show } = filters;
  const answer = await supabase().rpc('timesheet_overview', {
    ...argumentsOf(filters),
    ...(status && { p_status: status }),
    ...(issue && { p_issue: issue }),
    ...(show !== 'all' && { p_show: 'issues' }),
    p_offset: first,
    p_limit: last - first + 1,
  });
  const data =
    answer.data?.map((row) => ({ ...row, status: statusSchema.parse(row.status) })) ?? null;
  return { data, error: answer.error, count: data?.[0]?.total ?? 0 };
}

/** Every class that was worked, paid or not. */
export const workedMinutes = (row: ListedSheet): number =>
  row.regular_minutes +
  row.overtime_1_minutes +
  row.overtime_2_minutes +
  row.night_minutes +
  row.holiday_minutes +
  row.unpaid_minutes;

const inHours = (minutes: number) => (minutes / 60).toFixed(2);

/** Cards of a page: each has several things to decide. */
const CARDS = 12;

export const timesheetList = listQueries('timesheets', {
  key: timesheetsKey,
  tables: SHEET_TABLES,
  filters: ['q', 'day', 'every', 'show', 'status', 'issue', 'site'],
  rows: (filters: TimesheetFilters) => ({
    range: (first, last) => fetchRows(filters, first, last),
  }),
  pageSize: ({ show }) => (show === 'all' ? PAGE_SIZE : CARDS),
  file: (filters) => `timesheets-${shownPeriod(filters).start}`,
  columns: [
    { heading: 'Name', value: (row: ListedSheet) => row.full_name },
    { heading: 'Period Start', kind: 'day', value: (row) => row.period_start },
    { heading: 'Period End', kind: 'day', value: (row) => row.period_end },
    { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
    { heading: 'Planned Hours', kind: 'amount', value: (row) => inHours(row.planned_minutes) },
    { heading: 'Worked Hours', kind: 'amount', value: (row) => inHours(workedMinutes(row)) },
    { heading: 'Paid Hours', kind: 'amount', value: (row) => inHours(row.paid_minutes) },
    { heading: 'Regular', kind: 'amount', value: (row) => inHours(row.regular_minutes) },
    { heading: 'Overtime 1', kind: 'amount', value: (row) => inHours(row.overtime_1_minutes) },
    { heading: 'Overtime 2', kind: 'amount', value: (row) => inHours(row.overtime_2_minutes) },
    { heading: 'Night', kind: 'amount', value: (row) => inHours(row.night_minutes) },
    { heading: 'Holiday', kind: 'amount', value: (row) => inHours(row.holiday_minutes) },
    { heading: 'Paid Leave', kind: 'amount', value: (row) => inHours(row.leave_paid_minutes) },
    { heading: 'Unpaid Leave', kind: 'amount', value: (row) => inHours(row.leave_unpaid_minutes) },
    { heading: 'Not Paid', kind: 'amount', value: (row) => inHours(row.unpaid_minutes) },
    {
      heading: 'Grace and Rounding',
      kind: 'amount',
      value: (row) => inHours(row.credited_minutes),
    },
    { heading: 'Missing Hours', kind: 'amount', value: (row) => inHours(row.missing_minutes) },
    { heading: 'To Decide', value: (row) => row.issues.map(issueLabel).join('; ') },
  ],
});

export function useSheetCounts(filters: TimesheetFilters) {
  const given = argumentsOf(filters);
  return useQuery({
    queryKey: [...timesheetsKey, 'counts', given],
    queryFn: async () =>
      (await supabase().rpc('timesheet_counts', given).single().throwOnError()).data,
    placeholderData: keepPreviousData,
  });
}

/** Timesheets of earlier periods that nobody has approved: how many, and a day of the first one. */
export function useEarlierSheets(start: string) {
  return useQuery({
    queryKey: [...timesheetsKey, 'earlier', start],
    queryFn: async () => {
      const { data, count } = await supabase()
        .from('timesheets')
        .select('period_start', { count: 'exact' })
        .in('status', ['open', 'submitted'])
        .lt('period_end', start)
        .order('period_start')
        .limit(1)
        .throwOnError();
      return { count: count ?? 0, day: data[0]?.period_start };
    },
  });
}

const refusedSchema = z.array(z.object({ name: z.string().nullable(), reason: z.string() }));

/** @returns how many were approved, and in words which were not */
async function approveSheets(ids: string[]) {
  const { data } = await supabase().rpc('approve_timesheets', { ids }).single().throwOnError();
  const refused = refusedSchema.parse(data.refused);
  return { approved: data.approved, refused: refusedText(refused) };
}

/** Reasons shown; one for each timesheet would fill the screen. */
const SHOWN = 3;

export function refusedText(refused: z.infer<typeof refusedSchema>): string | undefined {
  if (refused.length === 0) return undefined;
  const reasons = refused
    .slice(0, SHOWN)
    .map(({ name, reason }) => [name, reason].filter(Boolean).join(': '));
  const more = refused.length > SHOWN ? ` And ${refused.length - SHOWN} more.` : '';
  return `Left out: ${reasons.join(' ')}${more}`;
}

export const useApproveSheets = () => useChange(timesheetsKey, approveSheets);

/** For selected rows: what was left out is an error, because the others are approved all the same. */
export async function approveSelected(ids: string[]) {
  const { approved, refused } = await approveSheets(ids);
  if (refused) throw new Error(`${approved} approved. ${refused}`);
  return { changed: approved };
}

export const hoursText = (minutes: number) => (minutes === 0 ? '' : formatMinutes(minutes));
