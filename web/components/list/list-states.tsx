// The states that every list has: loading, failed with a way to try again, empty, rows.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { messageOf } from '#web/lib/errors.ts';

type ListStatesProps<Data> = {
  query: UseQueryResult<Data>;
  /** For example "Loading enquiries..." */
  loading: string;
  isEmpty: (data: Data) => boolean;
  /** Said instead of the rows: what is missing, and what would bring it. */
  empty: ReactNode;
  children: (data: Data) => ReactNode;
};

export function ListStates<Data>({
  query,
  loading,
  isEmpty,
  empty,
  children,
}: ListStatesProps<Data>) {
  const { data, error, isFetching, refetch } = query;
  if (data === undefined && !error) return <Loading text={loading} />;
  return (
    <>
      {error && (
        <Alert
          tone="danger"
          title={data ? 'This list may be out of date' : 'The list could not be loaded'}
          className="mb-5"
          action={
            <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(error)}
        </Alert>
      )}
      {data !== undefined && isEmpty(data) && (
        <p
          role="status"
          className="rounded-sm border border-dashed border-line-strong px-6 py-16 text-center text-muted"
        >
          {empty}
        </p>
      )}
      {data !== undefined && !isEmpty(data) && children(data)}
    </>
  );
}
