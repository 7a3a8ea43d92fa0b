import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { importRecords, type Samples } from '#web/lib/data/import-records.ts';
import { clientsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { CARDS_PAGE } from '#web/lib/data/pages.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { ImportedRecord } from '#web/lib/files/read-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { clientSchema, EXPORT_COLUMNS, toForm, toRow } from './schema.ts';
import type { ClientSearch } from './search.ts';

export const clients = recordHooks({
  table: 'clients',
  key: clientsKey,
  name: 'client',
  schema: clientSchema,
  toForm,
  toColumns: toRow,
  toNewRow: withAuthor,
});

type Filters = Pick<ClientSearch, 'q' | 'sort' | 'page'>;

/** The clients that match the search, by name unless sorted otherwise. */
function clientsQuery({ q = '', sort }: Omit<Filters, 'page'>) {
  let query = supabase().from('clients').select('*', { count: 'exact' });
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  if (sort) query = query.order(sort.replace('-', ''), { ascending: !sort.startsWith('-') });
  return query.order('name').order('id');
}

/** Number of clients, their guards and their monthly revenue, of those that match the search. */
export function useClientTotals(q: string) {
  return useQuery({
    queryKey: [...clientsKey, 'totals', q],
    queryFn: async () => {
      const { data } = await supabase()
        .rpc('client_totals', { p_search: q })
        .single()
        .throwOnError();
      return data;
    },
    placeholderData: keepPreviousData,
  });
}

async function countLinked(table: 'sites' | 'deployments', id: string): Promise<number> {
  const { count } = await supabase()
    .from(table)
    .select('id', { count: 'exact', head: true })
    .eq('client_id', id)
    .throwOnError();
  return count ?? 0;
}

/** How many sites and deployments would lose their link if the client were deleted. */
export function useClientLinks(id: string) {
  return useQuery({
    queryKey: [...clientsKey, 'links', id],
    queryFn: async () => {
      const [sites, deployments] = await Promise.all([
        countLinked('sites', id),
        countLinked('deployments', id),
      ]);
      return { sites, deployments };
    },
    // Never cached: the question must state the current counts.
    gcTime: 0,
  });
}

export const clientSamples: Samples = {
  table: 'clients',
  key: clientsKey,
  load: async () => (await import('./sample.ts')).sampleClients,
  nameColumn: 'name',
  nouns: ['client', 'clients'],
  success: (count) => `${count} clients imported successfully`,
  failure: 'Failed to import clients. Some clients may already exist.',
};

const importClients = (file: { rows: ImportedRecord[]; numbers: number[] }) =>
  importRecords({ table: 'clients', ...file });

export const useImportClients = () => useChange(clientsKey, importClients);

export const clientList = listQueries('clients', {
  key: clientsKey,
  tables: 'clients',
  filters: ['q', 'sort'],
  rows: clientsQuery,
  columns: EXPORT_COLUMNS,
  pageSize: CARDS_PAGE,
});
