import { keepPreviousData } from '@tanstack/react-query';
import { returnsKey } from '#web/lib/data/keys.ts';
import { PAGE_SIZE } from '#web/lib/data/pages.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { AMOUNT_COLUMNS, type ReturnRow, type Schedule, scheduleSchema } from './schema.ts';
import type { ReturnKind } from './search.ts';

/**
 * @param month yyyy-MM
 * @param page from 1; without it the schedule has everybody
 */
async function fetchSchedule(month: string, kind: ReturnKind, page?: number): Promise<Schedule> {
  const { data } = await supabase()
    .rpc('statutory_schedule', {
      p_month: `${month}-01`,
      p_kind: kind,
      ...(page === undefined ? {} : { p_page: page, p_size: PAGE_SIZE }),
    })
    .throwOnError();
  return scheduleSchema.parse(data);
}

/** Everybody, for a file. */
export const fetchWholeSchedule = (month: string, kind: ReturnKind) => fetchSchedule(month, kind);

const LIVE = ['pay_runs', 'pay_rates'] as const;

/** @param page from 1 */
export const useSchedule = (month: string, kind: ReturnKind, page: number) =>
  useLiveQuery(LIVE, returnsKey, {
    queryKey: [...returnsKey, month, kind, page],
    queryFn: () => fetchSchedule(month, kind, page),
    placeholderData: keepPreviousData,
  });

/** @param month yyyy-MM */
export const buildFileName = (month: string, kind: ReturnKind) => `${kind}-${month}`;

export async function exportSchedule(month: string, kind: ReturnKind, format: TableFormat) {
  const { rows } = await fetchWholeSchedule(month, kind);
  const columns: TableColumn<ReturnRow>[] = [
    { heading: 'Name', value: (row) => row.full_name },
    { heading: 'Currency', value: (row) => row.currency },
    ...AMOUNT_COLUMNS[kind].map(({ key, name }) => ({
      heading: name,
      kind: 'amount' as const,
      value: (row: ReturnRow) => row[key],
    })),
  ];
  await downloadTable(format, buildFileName(month, kind), columns, rows);
}
