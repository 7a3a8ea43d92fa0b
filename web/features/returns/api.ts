import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { returnsKey } from '#web/lib/data/keys.ts';
import { type CsvColumn, downloadCsv } from '#web/lib/files/csv.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { AMOUNT_COLUMNS, type ReturnRow, type Schedule, scheduleSchema } from './schema.ts';
import type { ReturnKind } from './search.ts';

/** @param month yyyy-MM */
async function fetchSchedule(month: string, kind: ReturnKind): Promise<Schedule> {
  const { data } = await supabase()
    .rpc('statutory_schedule', { p_month: `${month}-01`, p_kind: kind })
    .throwOnError();
  return scheduleSchema.parse(data);
}

const LIVE = ['pay_runs', 'pay_rates'] as const;

export function useSchedule(month: string, kind: ReturnKind) {
  useLiveTable(LIVE, returnsKey);
  return useQuery({
    queryKey: [...returnsKey, month, kind],
    queryFn: () => fetchSchedule(month, kind),
    placeholderData: keepPreviousData,
  });
}

/** @param month yyyy-MM */
export const fileNameOf = (month: string, kind: ReturnKind) => `${kind}-${month}`;

export function exportSchedule(month: string, kind: ReturnKind, { rows }: Schedule) {
  const columns: CsvColumn<ReturnRow>[] = [
    { heading: 'Name', value: (row) => row.full_name },
    { heading: 'Currency', value: (row) => row.currency },
    ...AMOUNT_COLUMNS[kind].map(({ key, name }) => ({
      heading: name,
      value: (row: ReturnRow) => row[key],
    })),
  ];
  return downloadCsv(fileNameOf(month, kind), columns, rows);
}
