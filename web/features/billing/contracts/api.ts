import { useQuery } from '@tanstack/react-query';
import { VAT, WITHHOLDING } from '#shared/tax-names.ts';
import { everyRow } from '#web/lib/data/every-row.ts';
import { clientsKey, contractsKey, quotesKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { parseOrder } from '#web/lib/data/list-search.ts';
import {
  changeOne,
  existing,
  recordChanges,
  recordHooks,
  withAuthor,
} from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { today } from '#web/lib/format/dates.ts';
import type { Period } from '#web/lib/format/pay-periods.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import {
  type Contract,
  type ContractPost,
  contractColumns,
  contractSchema,
  postColumns,
  type Rate,
  rateColumns,
  toContractForm,
} from './schema.ts';
import type { ContractSearch } from './search.ts';

export const contracts = recordHooks({
  table: 'contracts',
  key: contractsKey,
  name: 'contract',
  schema: contractSchema,
  toForm: toContractForm,
  toColumns: contractColumns,
  toNewRow: withAuthor,
});

export const contractPosts = recordChanges({
  table: 'contract_posts',
  key: contractsKey,
  name: 'post',
  toColumns: postColumns,
  toNewRow: withAuthor,
});

export const rates = recordChanges({
  table: 'rates',
  key: contractsKey,
  name: 'rate',
  toColumns: rateColumns,
  toNewRow: withAuthor,
  duplicate: 'There is a rate of this kind from that day already.',
});

const SELECTED = '*, clients!inner(name), contract_posts(count)';

type Filters = Pick<ContractSearch, 'q' | 'show' | 'sort'>;

const SORTS = {
  client: 'clients(name)',
  title: 'title',
  starts: 'starts_on',
  ends: 'ends_on',
};

function contractsQuery({ q = '', show, sort }: Filters) {
  let query = supabase().from('contracts').select(SELECTED, { count: 'exact' });
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('search_text', patterns);
  if (show === undefined) query = query.or(`ends_on.is.null,ends_on.gte.${today()}`);
  const { column, ascending } = parseOrder(sort, SORTS, {
    column: 'clients(name)',
    ascending: true,
  });
  return query.order(column, { ascending }).order('starts_on').order('id').returns<Contract[]>();
}

export const contractList = listQueries('contracts', {
  key: contractsKey,
  tables: ['contracts', 'contract_posts'],
  filters: ['q', 'show', 'sort'],
  rows: contractsQuery,
  columns: [
    { heading: 'Client', value: (row) => row.clients.name },
    { heading: 'Title', value: (row) => row.title },
    { heading: 'Currency', value: (row) => row.currency },
    { heading: 'From', kind: 'day', value: (row) => row.starts_on },
    { heading: 'Until', kind: 'day', value: (row) => row.ends_on },
    { heading: 'Billing', value: (row) => row.billing_cycle },
    { heading: 'Guards Agreed', value: (row) => row.agreed_headcount },
  ],
});

async function fetchRates(contractId: string): Promise<Rate[]> {
  const { data } = await supabase()
    .from('rates')
    .select()
    .eq('contract_id', contractId)
    .order('effective_from')
    .order('id')
    .throwOnError();
  return data;
}

async function fetchContract(id: string, withRates: boolean) {
  const [{ data: contract }, { data: posts }, prices] = await Promise.all([
    supabase()
      .from('contracts')
      .select(SELECTED)
      .eq('id', id)
      .returns<Contract[]>()
      .maybeSingle()
      .throwOnError(),
    supabase()
      .from('contract_posts')
      .select('*, sites!inner(name, contract_posts(post_id)), posts(name)')
      .eq('contract_id', id)
      .order('sites(name)')
      .order('starts_on')
      .order('id')
      .returns<ContractPost[]>()
      .throwOnError(),
    withRates ? fetchRates(id) : [],
  ]);
  return { contract: existing(contract, 'contract'), posts, rates: prices };
}
export type OpenedContract = Awaited<ReturnType<typeof fetchContract>>;

/** @param withRates false for those who may not see prices */
export const useContract = (id: string, withRates: boolean) =>
  useLiveQuery(['contracts', 'contract_posts', 'rates'], contractsKey, {
    queryKey: [...contractsKey, 'page', id, withRates],
    queryFn: () => fetchContract(id, withRates),
  });

async function fetchQuoteOf(contractId: string) {
  const { data } = await supabase()
    .from('quotes')
    .select('id, number')
    .eq('contract_id', contractId)
    .maybeSingle()
    .throwOnError();
  return data;
}

/** The quote that a contract was made of; null for most. */
export const useQuoteOf = (contractId: string) =>
  useQuery({
    queryKey: [...quotesKey, 'of contract', contractId],
    queryFn: () => fetchQuoteOf(contractId),
  });

async function fetchTaxes() {
  const { data } = await supabase().from('tax_rates').select('name').order('name').throwOnError();
  // VAT comes with the registration of the company, and what clients withhold is on no invoice.
  const chosen = data
    .map(({ name }) => name)
    .filter((name) => name !== VAT && name !== WITHHOLDING);
  return [...new Set(chosen)];
}

export const useTaxNames = () =>
  useQuery({ queryKey: [...contractsKey, 'taxes'], queryFn: fetchTaxes });

async function fetchClientSites(clientId: string) {
  const { data } = await supabase()
    .from('sites')
    .select('id, name')
    .eq('client_id', clientId)
    .order('name')
    .throwOnError();
  return data;
}

export const useClientSites = (clientId: string) =>
  useQuery({
    queryKey: [...contractsKey, 'sites', clientId],
    queryFn: () => fetchClientSites(clientId),
  });

const fetchCoverage = (client: string, site: string | undefined, { start, end }: Period) =>
  everyRow(async (first, last) => {
    const query = supabase().rpc('coverage', { from: start, to: end, client_id: client });
    const { data } = await (site === undefined ? query : query.eq('site_id', site))
      .range(first, last)
      .throwOnError();
    return data;
  });

/** Hours that the client was promised beside those that were worked, by post and day. @param site one of the client's */
export const useCoverage = (client: string, period: Period, site?: string) =>
  useQuery({
    queryKey: [...contractsKey, 'coverage', client, site, period.start, period.end],
    queryFn: () => fetchCoverage(client, site, period),
  });

async function fetchFigures(clientId: string) {
  const { data } = await supabase()
    .from('clients')
    .select('id, name, number_of_guards, monthly_rate')
    .eq('id', clientId)
    .maybeSingle()
    .throwOnError();
  return existing(data, 'client');
}

export const useClientFigures = (clientId: string) =>
  useQuery({
    queryKey: [...clientsKey, 'figures', clientId],
    queryFn: () => fetchFigures(clientId),
    // Never cached: the question must state the current figures.
    gcTime: 0,
  });

export type ClientFigures = { id: string; number_of_guards: number; monthly_rate: number };

async function saveFigures({ id, number_of_guards, monthly_rate }: ClientFigures) {
  await requireUserId();
  await changeOne(
    supabase().from('clients').update({ number_of_guards, monthly_rate }).eq('id', id),
    'client',
  );
}

export const useSaveFigures = () => useChange(clientsKey, saveFigures);
