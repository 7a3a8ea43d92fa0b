import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { type RequestRows, rowsRequester } from '#web/lib/cache/first-rows.ts';
import { queryClient } from '#web/lib/cache/query-client.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { rootRoute } from '#web/portals/router-options.tsx';
import {
  type AddressedRoute,
  type History,
  type ListSearch,
  listScreen,
  screen,
} from '../screen.tsx';

export const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/admin',
  component: lazyRouteComponent(() => import('../admin-portal.tsx'), 'AdminPortal'),
});

/** The navigation to a route, as its `beforeLoad` gets it. */
type Navigation = { cause: 'preload' | 'enter' | 'stay' };

/** What a screen shows first. */
type Rows<Search> = {
  /** Loads the code of the queries. */
  load: () => Promise<unknown>;
  /** Requests the data, at once if the code has loaded. @returns whether it has */
  request: (search: Search, request: RequestRows) => boolean;
};

/** @param load the queries, from the feature's `api.ts`, which is smaller than its screen */
export function rowsOf<Queries, Search>(
  load: () => Promise<Queries>,
  request: (queries: Queries, request: RequestRows, search: Search) => void,
): Rows<Search> {
  let loaded: Queries | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
    return loaded;
  };
  return {
    load: loadOnce,
    request(search, requestQuery) {
      if (loaded !== undefined) {
        request(loaded, requestQuery, search);
        return true;
      }
      // Code that can't be loaded is the screen's to report, which loads the same.
      loadOnce().then(
        (queries) => request(queries, requestQuery, search),
        () => undefined,
      );
      return false;
    },
  };
}

/** `rows` of a list: the page that its address names. @param load the queries of the list */
export const pageOf = <Search, Data, Key extends QueryKey>(
  load: () => Promise<{
    pageQuery: (search: Search) => FetchQueryOptions<Data, Error, Data, Key>;
  }>,
) => rowsOf(load, (list, request, search: Search) => request(list.pageQuery(search)));

/**
 * Requests the rows while the screen's code is loading. A change of the address inside a screen is the screen's own.
 * @returns when the requests have left, which rendering the screen would hold up for a fifth of a second on a slow processor
 */
function requestRows<Search>(
  { cause }: Navigation,
  search: Search,
  rows: Rows<Search> | undefined,
): Promise<void> | undefined {
  if (!rows || cause === 'stay') return undefined;
  const isRequested = rows.request(search, rowsRequester(queryClient, cause === 'enter'));
  // Between the call and the request are only promises, which have settled when the next task begins.
  return isRequested && cause === 'enter'
    ? new Promise((resolve) => setTimeout(resolve))
    : undefined;
}

/** With the code of its queries, so that the next click requests the rows at once. */
const loadWith =
  <Screen>(load: () => Promise<Screen>, rows: Pick<Rows<never>, 'load'> | undefined) =>
  async (): Promise<Screen> => {
    const [loaded] = await Promise.all([load(), rows?.load()]);
    return loaded;
  };

/** @param rows requests what the screen shows first */
export function plain<const Path extends string>(
  path: Path,
  title: string,
  load: () => Promise<ComponentType>,
  rows?: Rows<undefined>,
) {
  return createRoute({
    getParentRoute: () => adminRoute,
    path,
    component: screen(title, loadWith(load, rows)),
    beforeLoad: (navigation) => requestRows(navigation, undefined, rows),
  });
}

/** A route whose parameters are the state of its list; `show` adds the screen. */
export const list = <const Path extends string, Search extends ListSearch>(
  path: Path,
  search: (search: Record<string, unknown>) => Search,
) => createRoute({ getParentRoute: () => adminRoute, path, validateSearch: search });

type Screen<Search> = ComponentType<{ search: Search; onChange: ChangeSearch<Search> }>;

type Options<Search> = History<Search> & {
  /** See `plain`. */
  rows?: Rows<Search>;
};

/** Apart from `list`, because only the finished route knows the type of its parameters. */
export function show<Search extends ListSearch>(
  route: AddressedRoute<Search>,
  title: string,
  load: () => Promise<Screen<Search>>,
  { rows, ...history }: Options<Search> = {},
) {
  route.update({
    component: listScreen({
      title,
      load: loadWith(load, rows),
      useSearch: () => route.useSearch(),
      ...history,
    }),
    beforeLoad: ({ search, ...navigation }) => requestRows(navigation, search, rows),
  });
}
