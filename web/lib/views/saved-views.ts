// How the user looks at the office's lists: named views, and the columns hidden without one. Kept on the server.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { setTableView, useTableView } from '#web/lib/app/list-view.ts';
import { savedViewsKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { isRecord } from '#web/lib/session/read-json.ts';
import { supabase } from '#web/lib/supabase/client.ts';

type SavedRow = Awaited<ReturnType<typeof fetchViews>>[number];
export type SavedView = SavedRow & { name: string };

/** What a view keeps. */
export type Look = {
  search: Record<string, string | number | boolean>;
  hidden_columns: string[];
  layout: 'cards' | 'table' | null;
};

/** As the database has it. Addresses of records have digits. */
const LIST = /^\/admin(\/[a-z-]+)*$/;

/** Of the moment, not of the view. */
const PASSING = ['page', 'open', 'before', 'shown', 'dialog'];

const UNUSED: readonly string[] = [];

async function fetchViews() {
  const { data } = await supabase()
    .from('saved_views')
    .select('id, list, name, search, hidden_columns, layout')
    .order('name')
    .order('id')
    .throwOnError();
  return data;
}

/** @param isWanted false until the screen has its rows, which come first */
function useViews(isWanted: boolean) {
  return useQuery({
    queryKey: savedViewsKey,
    queryFn: fetchViews,
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const isNamed = (row: SavedRow): row is SavedView => row.name !== null;

/** @returns the address of the list on the screen; undefined on other screens */
export function useListPath(): string | undefined {
  const pathname = useLocation({ select: (location) => location.pathname });
  return LIST.test(pathname) ? pathname : undefined;
}

/** The named views of one list, or of all. */
export function useSavedViews(list?: string) {
  const query = useViews(true);
  const views = query.data
    ?.filter(isNamed)
    .filter((view) => list === undefined || view.list === list);
  return { ...query, data: views };
}

/** The columns that the user hides in the list on the screen. */
export function useHiddenColumns(isWanted: boolean): readonly string[] {
  const list = useListPath();
  const { data } = useViews(isWanted && list !== undefined);
  return data?.find((row) => row.list === list && row.name === null)?.hidden_columns ?? UNUSED;
}

/** The headers that the user may hide, of each list that was on the screen. */
export const optionalColumns = new Map<string, string[]>();

/** How the list on the screen looks now. @param hasLayouts whether the user chooses between cards and a table */
export function useLook(hasLayouts: boolean): Look {
  const { search } = useLocation();
  const hidden = useHiddenColumns(true);
  const isTable = useTableView();
  const kept = Object.entries(search).flatMap(([key, value]) =>
    !PASSING.includes(key) &&
    (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      ? [[key, value] as const]
      : [],
  );
  return {
    search: Object.fromEntries(kept),
    hidden_columns: [...hidden],
    layout: hasLayouts ? (isTable ? 'table' : 'cards') : null,
  };
}

type Saving = Look & { list: string; name: string };

export const useSaveView = () =>
  useChange(savedViewsKey, async (view: Saving) => {
    await supabase().from('saved_views').insert(view).throwOnError();
  });

export const useChangeView = () =>
  useChange(savedViewsKey, async ({ id, ...change }: { id: string } & Partial<Saving>) => {
    await supabase().from('saved_views').update(change).eq('id', id).throwOnError();
  });

export const useDeleteView = () =>
  useChange(savedViewsKey, async (id: string) => {
    await supabase().from('saved_views').delete().eq('id', id).throwOnError();
  });

type Hiding = { list: string; hidden_columns: string[] };

/** Hides columns at once, and stores the choice. */
export function useHideColumns() {
  const queryClient = useQueryClient();
  const { mutateAsync } = useChange(savedViewsKey, async (row: Hiding) => {
    await supabase()
      .from('saved_views')
      .upsert({ ...row, name: null }, { onConflict: 'user_id,list,name' })
      .throwOnError();
  });
  return async ({ list, hidden_columns }: Hiding) => {
    await queryClient.cancelQueries({ queryKey: savedViewsKey });
    queryClient.setQueryData<SavedRow[]>(savedViewsKey, (rows = []) => [
      ...rows.filter((row) => row.list !== list || row.name !== null),
      { id: `${list} now`, list, name: null, search: {}, hidden_columns, layout: null },
    ]);
    try {
      await mutateAsync({ list, hidden_columns });
    } catch (error) {
      await queryClient.invalidateQueries({ queryKey: savedViewsKey });
      throw error;
    }
  };
}

/** @returns the address of the list with the filters and order of the view */
export function addressOfView({ list, search }: Pick<SavedView, 'list' | 'search'>): string {
  const kept = Object.entries(isRecord(search) ? search : {}).map(([key, value]) => [
    key,
    String(value),
  ]);
  const text = new URLSearchParams(kept).toString();
  return text === '' ? list : `${list}?${text}`;
}

/** Opens a view: its filters and order by the address, its columns and layout as if they were chosen now. */
export function useOpenView() {
  const router = useRouter();
  const hide = useHideColumns();
  return async (view: Omit<SavedView, 'id' | 'name'>): Promise<void> => {
    if (view.layout !== null) setTableView(view.layout === 'table');
    router.history.push(addressOfView(view));
    await hide({ list: view.list, hidden_columns: view.hidden_columns });
  };
}
