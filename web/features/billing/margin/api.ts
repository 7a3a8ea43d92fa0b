import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { everyRow } from '#web/lib/data/every-row.ts';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn, TableFormat } from '#web/lib/files/write-table.ts';
import { endOfMonth } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import {
  type MarginGroup,
  type MarginRow,
  type Months,
  marginSchema,
  marginSumsSchema,
} from './rules.ts';
import { NONE } from './search.ts';

/** Without a currency, each one apart. */
type Shown = Months & { currency: string | undefined; client: string | undefined };

const converted = ({ from, to, currency }: Shown) => ({
  p_from: from,
  p_to: to,
  ...(currency ? { p_currency: currency } : {}),
});

/** At most as many sites are on one page. */
export const SUMS_PAGE = 200;

/** @param page from 1 */
async function fetchSums(shown: Shown, by: MarginGroup, page: number) {
  const { client } = shown;
  const { data } = await supabase()
    .rpc('margin_sums', {
      ...converted(shown),
      p_by: by,
      ...(client === NONE ? { p_is_without_client: true } : client ? { p_client_id: client } : {}),
      p_page: page,
      p_size: SUMS_PAGE,
    })
    .throwOnError();
  // With what they are summed by: the screen shows them until the next ones come.
  return { by, currencies: marginSumsSchema.parse(data) };
}

export const useMargin = (shown: Shown, by: MarginGroup, page: number) =>
  useLiveQuery(['invoices', 'pay_runs'], invoicesKey, {
    queryKey: [...invoicesKey, 'margin', shown, by, page],
    queryFn: () => fetchSums(shown, by, page),
    placeholderData: keepPreviousData,
  });

async function countDrafts({ from, to }: Months, client: string | undefined) {
  let query = supabase()
    .from('invoices')
    .select('id', { count: 'exact', head: true })
    .eq('status', 'draft')
    .gte('period_end', `${from.slice(0, 7)}-01`)
    .lte('period_end', endOfMonth(to));
  if (client) query = query.eq('client_id', client);
  const { count } = await query.throwOnError();
  return count ?? 0;
}

/** How many invoices of the months are drafts, which the margin leaves out. @param client its id, NONE, or all */
export const useDraftCount = (months: Months, client: string | undefined) =>
  useQuery({
    queryKey: [...invoicesKey, 'margin', 'drafts', months, client],
    queryFn: () => countDrafts(months, client),
    // Every invoice has a client.
    enabled: client !== NONE,
  });

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

const columns: TableColumn<MarginRow>[] = [
  { heading: 'Month', value: (row) => row.month.slice(0, 7) },
  { heading: 'Client', value: (row) => row.client_name },
  { heading: 'Site', value: (row) => row.site_name },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'Billed', kind: 'amount', value: (row) => row.billed },
  { heading: 'Wages', kind: 'amount', value: (row) => row.wages },
  { heading: 'Employer Share', kind: 'amount', value: (row) => row.employer },
  { heading: 'Direct Costs', kind: 'amount', value: (row) => row.direct },
  { heading: 'Margin', kind: 'amount', value: (row) => row.margin },
  { heading: 'Billed Hours', kind: 'amount', value: (row) => hours(row.billed_minutes) },
  { heading: 'Paid Hours', kind: 'amount', value: (row) => hours(row.worked_minutes) },
  { heading: 'Rates', value: (row) => row.rates.join(' ') },
];

/** Every site in every month. */
export async function exportMargin(shown: Shown, format: TableFormat): Promise<void> {
  const { data } = await supabase().rpc('margin', converted(shown)).throwOnError();
  const rows = marginSchema
    .parse(data)
    .filter(({ client_id }) => !shown.client || (client_id ?? NONE) === shown.client);
  await downloadTable(format, 'margin', columns, rows);
}
