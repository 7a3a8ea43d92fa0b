import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type MarginRow, type Months, marginSchema } from './rules.ts';
import { NONE } from './search.ts';

/** @param currency undefined: each currency apart */
async function fetchMargin({ from, to }: Months, currency: string | undefined) {
  const { data } = await supabase()
    .rpc('margin', { p_from: from, p_to: to, ...(currency ? { p_currency: currency } : {}) })
    .throwOnError();
  return marginSchema.parse(data);
}

export function useMargin(months: Months, currency: string | undefined) {
  useLiveTable(['invoices', 'pay_runs'], invoicesKey);
  return useQuery({
    queryKey: [...invoicesKey, 'margin', months, currency ?? null],
    queryFn: () => fetchMargin(months, currency),
    placeholderData: keepPreviousData,
  });
}

/** @param site its id, or NONE */
const fetchHours = ({ from, to }: Months, site: string) =>
  everyRow(async (first, last) => {
    const { data } = await supabase()
      .rpc('margin_hours', {
        p_from: from,
        p_to: to,
        ...(site === NONE ? {} : { p_site_id: site }),
      })
      .range(first, last)
      .throwOnError();
    return data;
  });
export type GuardHours = Awaited<ReturnType<typeof fetchHours>>[number];

export const useMarginHours = (months: Months, site: string) =>
  useQuery({
    queryKey: [...invoicesKey, 'margin', 'hours', months, site],
    queryFn: () => fetchHours(months, site),
  });

const hours = (minutes: number) => (minutes / 60).toFixed(2);

export const exportMargin = (rows: MarginRow[]): Promise<void> =>
  downloadCsv(
    'margin',
    [
      { heading: 'Month', value: (row) => row.month.slice(0, 7) },
      { heading: 'Client', value: (row) => row.client_name },
      { heading: 'Site', value: (row) => row.site_name },
      { heading: 'Currency', value: (row) => row.currency },
      { heading: 'Billed', value: (row) => row.billed },
      { heading: 'Wages', value: (row) => row.wages },
      { heading: 'Employer Share', value: (row) => row.employer },
      { heading: 'Direct Costs', value: (row) => row.direct },
      { heading: 'Margin', value: (row) => row.margin },
      { heading: 'Billed Hours', value: (row) => hours(row.billed_minutes) },
      { heading: 'Paid Hours', value: (row) => hours(row.worked_minutes) },
      { heading: 'Rates', value: (row) => row.rates.join(' ') },
    ],
    rows,
  );
