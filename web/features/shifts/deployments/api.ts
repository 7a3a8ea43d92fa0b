import { keepPreviousData } from '@tanstack/react-query';
import { takeEarly } from '#web/lib/cache/early-answers.ts';
import { deploymentsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { CARDS_PAGE, toPage } from '#web/lib/data/pages.ts';
import { recordChanges, withAuthor } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import {
  formatCsvTime,
  startOfToday,
  startOfTomorrow,
  today,
  zoneName,
} from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { toRow } from './deployment-row.ts';
import type { Deployment } from './schema.ts';
import type { DeploymentSearch } from './search.ts';

export const DEPLOYMENTS = {
  table: 'deployments',
  key: deploymentsKey,
  name: 'deployment',
  toColumns: toRow,
  toNewRow: withAuthor,
} as const;

/** Without the form's schema, which the office's first screen doesn't load. */
export const deploymentChanges = recordChanges(DEPLOYMENTS);

type Filters = Pick<DeploymentSearch, 'q' | 'status'>;

function deploymentsQuery({ q = '', status }: Filters) {
  let query = supabase().from('deployments').select('*', { count: 'exact' });
  if (status) query = query.eq('status', status);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  return query.order('shift_start', { ascending: false }).order('id');
}

export const PARTS = ['today', 'upcoming', 'past'] as const;
export type Part = (typeof PARTS)[number];

/** A night shift is part of both of its days. */
function partQuery(part: Part | undefined, q: string) {
  const [begin, end] = [startOfToday(), startOfTomorrow()];
  const query = deploymentsQuery({ q });
  if (part === 'today') return query.lt('shift_start', end).gt('shift_end', begin);
  if (part === 'upcoming') return query.gte('shift_start', end);
  return part === 'past' ? query.lte('shift_end', begin) : query;
}

/** The newest deployments, and how many each part has. */
export const useTracker = (q: string, part: Part | undefined, shown: number) =>
  useLiveQuery('deployments', deploymentsKey, {
    queryKey: [...deploymentsKey, 'tracker', q, today(), part, shown],
    queryFn: async () => {
      const count = async (each: Part) => toPage(await partQuery(each, q).limit(1)).total;
      const [page, ongoing, upcoming, past] = await Promise.all([
        partQuery(part, q).limit(shown),
        count('today'),
        count('upcoming'),
        count('past'),
      ]);
      const counts: Record<Part, number> = { today: ongoing, upcoming, past };
      return { ...toPage<Deployment>(page), counts };
    },
    placeholderData: keepPreviousData,
  });

const EXPORT_COLUMNS: TableColumn<Deployment>[] = [
  { heading: 'Guard Name', value: (row) => row.guard_name },
  { heading: 'Location', value: (row) => row.location },
  { heading: 'Client Name', value: (row) => row.client_name },
  {
    heading: `Shift Start (${zoneName} time)`,
    kind: 'time',
    value: (row) => formatCsvTime(row.shift_start),
  },
  {
    heading: `Shift End (${zoneName} time)`,
    kind: 'time',
    value: (row) => formatCsvTime(row.shift_end),
  },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Notes', value: (row) => row.notes },
];

export const deploymentList = listQueries('deployments', {
  key: deploymentsKey,
  tables: 'deployments',
  filters: ['q', 'status'],
  rows: deploymentsQuery,
  columns: EXPORT_COLUMNS,
  pageSize: CARDS_PAGE,
  early: () => takeEarly<Deployment>('deployments'),
});
