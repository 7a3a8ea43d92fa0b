import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import {
  createRoute,
  type HistoryState,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { FRESH_MS, type RequestRows, requestRows } from '#web/lib/cache/query-client.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { uuid } from '#web/lib/data/search-fields.ts';
import { rootRoute } from '#web/portals/router-options.tsx';
import { type History, type ListSearch, listScreen, screen } from '../screen.tsx';

export const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  // An address that no record can have leads to the start, as every unknown one does.
  beforeLoad: ({ params }: { params: { id?: string } }) => {
    if (params.id !== undefined && uuid(params.id) === undefined) {
      throw redirect({ to: '/admin', replace: true });
    }
  },
  component: lazyRouteComponent(() => import('../admin-portal.tsx'), 'AdminPortal'),
});

/** Requests what a screen shows first. @returns when it has been requested */
type Rows<Search> = (search: Search) => Promise<void>;

/** @param load the queries, from the feature's `api.ts`, which is smaller than its screen */
export const defineRows =
  <Queries, Search>(
    load: () => Promise<Queries>,
    request: (queries: Queries, request: RequestRows, search: Search) => void,
  ): Rows<Search> =>
  async (search) =>
    request(await load(), requestRows, search);

/** `rows` of a list: the page that its address names. @param load the queries of the list */
export const definePageRows = <Search, Data, Key extends QueryKey>(
  load: () => Promise<{
    pageQuery: (search: Search) => FetchQueryOptions<Data, Error, Data, Key>;
  }>,
) => defineRows(load, (list, request, search: Search) => request(list.pageQuery(search)));

/**
 * Runs when the screen opens, or when the pointer, the finger or the focus is on its link; not when its address changes inside it.
 * @param search reads the parameters of the address
 */
const loadRows = <Search>(
  rows: Rows<Search> | undefined,
  search: (parameters: Record<string, unknown>) => Search,
) =>
  rows && {
    loader: {
      // Code that can't be loaded is the screen's to report, which loads the same.
      handler: ({ location }: { location: { search: Record<string, unknown> } }) =>
        rows(search(location.search)).catch(() => undefined),
      // Rendering the screen first would hold the requests up.
      staleReloadMode: 'blocking' as const,
    },
    preloadStaleTime: FRESH_MS,
    // The router reloads an address that is opened again. A dialog's entry of it shows nothing new.
    shouldReload: ({ location }: { location: { state: HistoryState } }) =>
      location.state.isForDialog ? false : undefined,
  };

/** @param rows requests what the screen shows first */
export const plain = <const Path extends string>(
  path: Path,
  title: string,
  load: () => Promise<ComponentType>,
  rows?: Rows<undefined>,
) =>
  createRoute({
    getParentRoute: () => adminRoute,
    path,
    component: screen(title, load),
    ...loadRows(rows, () => undefined),
  });

type Screen<Search> = ComponentType<{ search: Search; onChange: ChangeSearch<Search> }>;

/** A screen whose list keeps its state in the address. */
export const list = <const Path extends string, Search extends ListSearch>(
  path: Path,
  search: (parameters: Record<string, unknown>) => Search,
  title: string,
  load: () => Promise<Screen<NoInfer<Search>>>,
  { rows, ...history }: History<NoInfer<Search>> & { rows?: Rows<NoInfer<Search>> } = {},
) =>
  createRoute({
    getParentRoute: () => adminRoute,
    path,
    validateSearch: search,
    component: listScreen({ title, load, search, ...history }),
    ...loadRows(rows, search),
  });
