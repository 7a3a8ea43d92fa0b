import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { deploymentsKey } from '#web/lib/data/keys.ts';
import { rangeOf } from '#web/lib/data/list-search.ts';
import { CARDS_PAGE, type Page, pageOf } from '#web/lib/data/pages.ts';
import { existing, useChange } from '#web/lib/data/records.ts';
import { searchFilters } from '#web/lib/data/search-filter.ts';
import { type CsvColumn, downloadCsv, everyRow } from '#web/lib/files/csv.ts';
import { toLocalInput, zoneName } from '#web/lib/format/dates.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/require-user.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Deployment, type DeploymentForm, type DeploymentSearch, rowOf } from './schema.ts';
import { STATUS_LABELS } from './status.ts';

type Filters = Pick<DeploymentSearch, 'q' | 'status' | 'page'>;

/** Latest shift start first. */
function deploymentsQuery({ q = '', status }: Omit<Filters, 'page'>) {
  let query = supabase().from('deployments').select('*', { count: 'exact' });
  if (status) query = query.eq('status', status);
  for (const filter of searchFilters(['guard_name', 'location', 'client_name'], q)) {
    query = query.or(filter);
  }
  return query.order('shift_start', { ascending: false }).order('id');
}

async function fetchDeployments(limit: number): Promise<Page<Deployment>> {
  const { data, count } = await deploymentsQuery({}).limit(limit).throwOnError();
  return { rows: data, total: count ?? data.length };
}

/** The tracker's growing list. */
export function useDeployments(limit: number) {
  useLiveTable('deployments', deploymentsKey);
  return useQuery({
    queryKey: [...deploymentsKey, { limit }],
    queryFn: () => fetchDeployments(limit),
    placeholderData: keepPreviousData,
  });
}

/** The admin portal's pages. */
export function deploymentsPageQuery({ q = '', status, page = 1 }: Filters) {
  return queryOptions({
    queryKey: [...deploymentsKey, 'page', { q, status, page }],
    queryFn: async () =>
      pageOf(await deploymentsQuery({ q, status }).range(...rangeOf(page, CARDS_PAGE))),
    placeholderData: keepPreviousData,
  });
}

export function useDeploymentsPage(filters: Filters) {
  useLiveTable('deployments', deploymentsKey);
  return useQuery(deploymentsPageQuery(filters));
}

const csvTime = (instant: string) => toLocalInput(instant).replace('T', ' ');

const CSV_COLUMNS: CsvColumn<Deployment>[] = [
  { heading: 'Guard Name', value: (row) => row.guard_name },
  { heading: 'Location', value: (row) => row.location },
  { heading: 'Client Name', value: (row) => row.client_name },
  { heading: `Shift Start (${zoneName} time)`, value: (row) => csvTime(row.shift_start) },
  { heading: `Shift End (${zoneName} time)`, value: (row) => csvTime(row.shift_end) },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Notes', value: (row) => row.notes },
];

export async function exportDeployments(
  filters: Pick<DeploymentSearch, 'q' | 'status'>,
): Promise<void> {
  const rows = await everyRow(async (from, to) => {
    const { data } = await deploymentsQuery(filters).range(from, to).throwOnError();
    return data;
  });
  await downloadCsv('deployments', CSV_COLUMNS, rows);
}

async function fetchDeployment(id: string): Promise<Deployment | null> {
  const { data } = await supabase()
    .from('deployments')
    .select()
    .eq('id', id)
    .maybeSingle()
    .throwOnError();
  return data;
}

/**
 * The data is null if the deployment does not exist.
 * @param known from the list, shown until the query has loaded
 */
export const useDeployment = (id: string, known: Deployment | undefined) =>
  useQuery({
    queryKey: [...deploymentsKey, 'one', id],
    queryFn: () => fetchDeployment(id),
    placeholderData: known,
  });

async function createDeployment(form: DeploymentForm): Promise<void> {
  const created_by = await requireUserId();
  await supabase()
    .from('deployments')
    .insert({ ...rowOf(form), created_by })
    .throwOnError();
}

export function useCreateDeployment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: createDeployment,
    // The dialog does not wait for the list.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: deploymentsKey }),
  });
}

type Change = { id: string; form: DeploymentForm };

async function updateDeployment({ id, form }: Change): Promise<void> {
  await requireUserId();
  const { data } = await supabase()
    .from('deployments')
    .update(rowOf(form))
    .eq('id', id)
    .select('id')
    .maybeSingle()
    .throwOnError();
  existing(data, 'deployment');
}

export const useUpdateDeployment = () => useChange(deploymentsKey, updateDeployment);

/** @returns the deleted row, for Undo; null if it was already deleted */
async function deleteDeployment(id: string): Promise<Deployment | null> {
  const { data } = await supabase()
    .from('deployments')
    .delete()
    .eq('id', id)
    .select()
    .maybeSingle()
    .throwOnError();
  return data;
}

export function useDeleteDeployment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: deleteDeployment,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deploymentsKey }),
  });
}

/** Inserts a deleted deployment again, with the same id. */
async function restoreDeployment(row: Deployment): Promise<void> {
  await supabase().from('deployments').insert(row).throwOnError();
}

export function useRestoreDeployment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: restoreDeployment,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: deploymentsKey }),
  });
}
