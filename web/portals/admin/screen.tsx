import { lazyRouteComponent, useMatch, useNavigate, useSearch } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useCallback, useMemo } from 'react';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

function Titled({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title);
  return children;
}

/** The component of a route, loaded when the route is visited or preloaded. */
export const screen = (title: string, load: () => Promise<ComponentType>) =>
  lazyRouteComponent(async () => {
    const Screen = await load();
    return {
      default: () => (
        <Titled title={title}>
          <Screen />
        </Titled>
      ),
    };
  });

export type History<Search> = {
  /** Whether Back should undo the change; a typed search should not leave one entry per letter. */
  isStep?: (change: Partial<Search>) => boolean;
  resetsScroll?: (change: Partial<Search>) => boolean;
};

type ListOptions<Search> = History<Search> & {
  title: string;
  /** Reads the parameters of the address. */
  search: (parameters: Record<string, unknown>) => Search;
  load: () => Promise<ComponentType<{ search: Search; onChange: ChangeSearch<Search> }>>;
};

export type ListSearch = { open?: string | undefined; page?: number | undefined };

function Addressed<Search extends ListSearch>(
  props: Omit<ListOptions<Search>, 'title' | 'load'> & {
    List: ComponentType<{ search: Search; onChange: ChangeSearch<Search> }>;
  },
) {
  const { List, search: readSearch, isStep, resetsScroll } = props;
  const parameters = useSearch({ strict: false });
  const search = useMemo(() => readSearch(parameters), [readSearch, parameters]);
  const to: string = useMatch({ strict: false }).fullPath;
  const navigate = useNavigate();
  // Stable, because lists make their columns with it.
  const onChange = useCallback(
    (change: Partial<Search>) =>
      void navigate({
        to,
        search: (now) => ({ ...now, ...change }),
        replace: !(isStep?.(change) ?? change.open !== undefined),
        resetScroll: resetsScroll?.(change) ?? change.page !== undefined,
      }),
    [navigate, to, isStep, resetsScroll],
  );
  return <List search={search} onChange={onChange} />;
}

/** Like `screen`, for a component that keeps its state (search, filters, page, open record) in the address. */
export const listScreen = <Search extends ListSearch>(options: ListOptions<Search>) =>
  lazyRouteComponent(async () => {
    const { title, load, ...rest } = options;
    const List = await load();
    return {
      default: () => (
        <Titled title={title}>
          <Addressed {...rest} List={List} />
        </Titled>
      ),
    };
  });
