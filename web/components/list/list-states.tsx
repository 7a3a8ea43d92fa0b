import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';

type ListStatesProps<Data> = {
  query: UseQueryResult<Data>;
  /** For example "Loading enquiries..." */
  loading: string;
  /** Title of the toast when loading fails. */
  failure?: string | undefined;
  isEmpty: (data: Data) => boolean;
  /** Shown instead of the rows: what is missing, and how to add it. */
  empty: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Loading, failed with a retry, empty, rows. */
export function ListStates<Data>(props: ListStatesProps<Data>) {
  const { query, loading, failure = 'Error', isEmpty, empty, children } = props;
  return (
    <Loaded
      query={query}
      loadingText={loading}
      failure={failure}
      missing="The list could not be loaded"
      outdated="This list may be out of date"
    >
      {(data) => (isEmpty(data) ? <EmptyNote>{empty}</EmptyNote> : children(data))}
    </Loaded>
  );
}
