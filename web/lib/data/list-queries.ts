import {
  keepPreviousData,
  type QueryClient,
  type QueryKey,
  queryOptions,
  useQuery,
} from '@tanstack/react-query';
import { refetchEvery } from '../cache/network-retry.ts';
import { downloadTable } from '../files/download-table.ts';
import type { TableColumn, TableFormat } from '../files/write-table.ts';
import { useLiveTable } from '../realtime/use-live-table.ts';
import { everyRow } from './every-row.ts';
import { type ChangeSearch, toRange } from './list-search.ts';
import { type Answer, PAGE_SIZE, toPage } from './pages.ts';

/** A supabase-js query with its filters and order. */
type RowsQuery<Row> = {
  /** First and last row, both inclusive. */
  range: (first: number, last: number) => PromiseLike<Answer<Row>>;
};

type ListOptions<Row, Filters extends object> = {
  /** Root of the query keys. */
  key: QueryKey;
  /** Changes to these tables refresh the list. */
  tables: Parameters<typeof useLiveTable>[0];
  /** The parameters of the address that decide which rows are shown, and in which order. */
  filters: readonly (keyof Filters)[];
  rows: (filters: Filters) => RowsQuery<Row>;
  /** Name of the exported file, without extension, if it isn't the noun. */
  file?: string | ((filters: Filters) => string);
  columns: TableColumn<Row>[];
  /** Rows of a page, unless the user chooses another size. */
  pageSize?: number | ((filters: Filters) => number);
  /** The first page without filters, if the app's page requested it while the code was loading. */
  early?: () => Promise<Answer<Row> | undefined>;
  /** For filters that are slow to count row by row: the number of rows. @returns undefined where `rows` counts them */
  total?: (filters: Filters, client: QueryClient) => Promise<number> | undefined;
  /** For rows that come and go as time passes. @returns milliseconds */
  refetchInterval?: (filters: Filters) => number | false;
};

type Paged = { page?: number | undefined; size?: number | undefined };

/**
 * The queries of a filtered list. Call it once, at module level: `export const payrollList = listQueries('payroll', { … })`,
 * then `payrollList.useScreen(search, onChange)` in its screen.
 * @param noun what the rows are, for example "leave requests"
 */
export function listQueries<Row, Filters extends object>(
  noun: string,
  options: ListOptions<Row, Filters>,
) {
  const { key, tables, rows, columns, pageSize = PAGE_SIZE } = options;
  const { file = noun.replaceAll(' ', '-') } = options;
  const usualSize = (filters: Filters) =>
    typeof pageSize === 'function' ? pageSize(filters) : pageSize;

  async function earlyPage() {
    const answer = await options.early?.();
    return answer && toPage(answer);
  }

  const pageQuery = (search: Filters & Paged) => {
    const usual = usualSize(search);
    const { page = 1, size = usual } = search;
    const isFirst =
      page === 1 && size === usual && options.filters.every((name) => search[name] === undefined);
    return queryOptions({
      queryKey: [...key, 'list', options.filters.map((name) => search[name] ?? null), page, size],
      queryFn: async ({ client }) => {
        const [answer, total] = await Promise.all([
          rows(search).range(...toRange(page, size)),
          options.total?.(search, client),
        ]);
        const found = toPage(answer);
        return total === undefined ? found : { ...found, total };
      },
      refetchInterval: refetchEvery(options.refetchInterval?.(search)),
      placeholderData: keepPreviousData,
      ...(isFirst && options.early && { meta: { early: earlyPage } }),
    });
  };

  /** All pages. */
  const fetchAll = (filters: Filters) =>
    everyRow(async (first, last) => toPage(await rows(filters).range(first, last)).rows);

  /** Downloads all pages. */
  async function exportAll(filters: Filters, format: TableFormat): Promise<void> {
    const name = typeof file === 'string' ? file : file(filters);
    await downloadTable(format, name, columns, await fetchAll(filters));
  }

  /** For actions on many rows: all that match the filters. */
  const sourceOf = (search: Filters) => ({
    key,
    // Without the order: sorting keeps the selection.
    filters: options.filters.map((name) => (name === 'sort' ? null : (search[name] ?? null))),
    fetchAll: () => fetchAll(search),
  });

  const list = {
    pageQuery,
    sourceOf,
    fetchAll,
    exportAll,
    /** One page, refreshed live. */
    usePage(search: Filters & Paged) {
      useLiveTable(tables, key);
      return useQuery(pageQuery(search));
    },
    /** The query and changes of a `ListScreen`. */
    useScreen: <Search extends Filters & Paged>(
      search: Search,
      onChange: ChangeSearch<Search>,
    ) => ({
      noun,
      search,
      onChange,
      pageSize: usualSize(search),
      isSearched: options.filters.some((name) => name === 'q'),
      query: list.usePage(search),
      source: sourceOf(search),
      exportRecords: (format: TableFormat) => exportAll(search, format),
    }),
  };
  return list;
}
