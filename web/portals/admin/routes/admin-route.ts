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

/** Requests the rows while the screen's code is loading. A change of the address inside a screen is the screen's own. */
async function requestRows(
  { cause }: Navigation,
  rows: ((request: RequestRows) => Promise<void>) | undefined,
) {
  if (cause === 'stay') return;
  // Code that can't be loaded is the screen's to report, which loads the same.
  await rows?.(rowsRequester(queryClient, cause === 'enter')).catch(() => {});
}

/**
 * @param rows requests what the screen shows first; imports the feature's `api.ts`, which is smaller than its screen
 */
export function plain<const Path extends string>(
  path: Path,
  title: string,
  load: () => Promise<ComponentType>,
  rows?: (request: RequestRows) => Promise<void>,
) {
  return createRoute({
    getParentRoute: () => adminRoute,
    path,
    component: screen(title, load),
    beforeLoad: (navigation) => void requestRows(navigation, rows),
  });
}

/** A route whose parameters are the state of its list; `show` adds the screen. */
export const list = <const Path extends string, Search extends ListSearch>(
  path: Path,
  search: (search: Record<string, unknown>) => Search,
) => createRoute({ getParentRoute: () => adminRoute, path, validateSearch: search });

/** `rows` of a list: the page that its address names. @param load the queries of the list, from the feature's `api.ts` */
export const pageOf =
  <Search, Data, Key extends QueryKey>(
    load: () => Promise<{
      pageQuery: (search: Search) => FetchQueryOptions<Data, Error, Data, Key>;
    }>,
  ) =>
  async (search: Search, request: RequestRows): Promise<void> =>
    request((await load()).pageQuery(search));

type Screen<Search> = ComponentType<{ search: Search; onChange: ChangeSearch<Search> }>;

type Options<Search> = History<Search> & {
  /** See `plain`. */
  rows?: (search: Search, request: RequestRows) => Promise<void>;
};

/** Apart from `list`, because only the finished route knows the type of its parameters. */
export function show<Search extends ListSearch>(
  route: AddressedRoute<Search>,
  title: string,
  load: () => Promise<Screen<Search>>,
  { rows, ...history }: Options<Search> = {},
) {
  route.update({
    component: listScreen({ title, load, useSearch: () => route.useSearch(), ...history }),
    beforeLoad: ({ search, ...navigation }) =>
      void requestRows(navigation, rows && ((request) => rows(search, request))),
  });
}
