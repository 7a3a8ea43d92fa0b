import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { z } from 'zod';
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

export const plain = <const Path extends string>(
  path: Path,
  title: string,
  load: () => Promise<ComponentType>,
) => createRoute({ getParentRoute: () => adminRoute, path, component: screen(title, load) });

/** A route whose parameters are the state of its list; `show` adds the screen. */
export const list = <const Path extends string, Schema extends z.ZodType<ListSearch>>(
  path: Path,
  search: Schema,
) => createRoute({ getParentRoute: () => adminRoute, path, validateSearch: search });

type Screen<Search> = ComponentType<{ search: Search; onChange: ChangeSearch<Search> }>;

/** Apart from `list`, because only the finished route knows the type of its parameters. */
export function show<Search extends ListSearch>(
  route: AddressedRoute<Search>,
  title: string,
  load: () => Promise<Screen<Search>>,
  history: History<Search> = {},
) {
  route.update({
    component: listScreen({ title, load, useSearch: () => route.useSearch(), ...history }),
  });
}
