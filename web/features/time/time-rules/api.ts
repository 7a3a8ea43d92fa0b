import { queryOptions } from '@tanstack/react-query';
import type { Database } from '#shared/database.types.ts';
import { holidaysKey, timeRulesKey } from '#web/lib/data/keys.ts';
import { changeOne, recordChanges, withoutAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { toRow } from './schema.ts';

/** Newest first. */
async function fetchTimeRules() {
  const { data } = await supabase()
    .from('time_rules')
    .select('*, author:profiles!created_by(full_name, email)')
    .order('effective_from', { ascending: false })
    .limit(200)
    .throwOnError();
  return data;
}

export type ListedTimeRule = Awaited<ReturnType<typeof fetchTimeRules>>[number];

export const useTimeRules = () =>
  useLiveQuery('time_rules', timeRulesKey, {
    queryKey: [...timeRulesKey, 'list'],
    queryFn: fetchTimeRules,
  });

export const timeRules = recordChanges({
  table: 'time_rules',
  key: timeRulesKey,
  name: 'set of rules',
  toColumns: toRow,
  toNewRow: withoutAuthor,
  duplicate: 'This day is taken already.',
});

export type CompanyHoliday = Database['public']['Tables']['company_holidays']['Row'];

export type Holiday = {
  day: string;
  name: string;
  /** The company's own row; undefined for a public holiday as the law has it. */
  own: CompanyHoliday | undefined;
};

/** The public holidays of a year with the company's changes, in order. */
async function fetchHolidays(year: number): Promise<Holiday[]> {
  const [first, last] = [`${year}-01-01`, `${year}-12-31`];
  const [known, own] = await Promise.all([
    supabase()
      .from('public_holidays')
      .select('day, name')
      .gte('day', first)
      .lte('day', last)
      .throwOnError(),
    supabase()
      .from('company_holidays')
      .select('*')
      .gte('day', first)
      .lte('day', last)
      .throwOnError(),
  ]);
  const byDay = new Map<string, Holiday>(
    known.data.map(({ day, name }) => [day, { day, name, own: undefined }]),
  );
  for (const row of own.data) byDay.set(row.day, { day: row.day, name: row.name, own: row });
  return [...byDay.values()].sort((a, b) => a.day.localeCompare(b.day));
}

const holidaysQuery = (year: number) =>
  queryOptions({ queryKey: [...holidaysKey, year], queryFn: () => fetchHolidays(year) });

export const useHolidays = (year: number) =>
  useLiveQuery('company_holidays', holidaysKey, holidaysQuery(year));

export type HolidayChange = { day: string; name: string; works: boolean };

/** Stores the company's word on a day, which replaces an earlier one. */
async function saveHoliday(change: HolidayChange): Promise<void> {
  await changeOne(
    supabase().from('company_holidays').upsert(change, { onConflict: 'day' }),
    'holiday',
  );
}

/** The law decides the day again. @returns null when it was removed before */
async function removeHoliday(id: string): Promise<CompanyHoliday | null> {
  const { data } = await supabase()
    .from('company_holidays')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export const useSaveHoliday = () => useChange(holidaysKey, saveHoliday);
export const useRemoveHoliday = () => useChange(holidaysKey, removeHoliday);
