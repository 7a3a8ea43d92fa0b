import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { Alert } from './alert.tsx';
import { Loading } from './loading.tsx';
import { RetryButton } from './retry-button.tsx';
import { useLoadFailure } from './use-load-failure.ts';

type LoadedProps<Data> = {
  query: UseQueryResult<Data>;
  loadingText: string;
  /** Other queries that the data is shown with: it waits until they are known. */
  shownWith?: readonly UseQueryResult[];
  /** Shown while loading, as high as the data and without it. */
  placeholder?: ReactNode;
  /** Title of the toast when loading fails; the message in the page is always shown. */
  failure?: string;
  /** Titles of the message in the page: if nothing was loaded, and if the data may be old. */
  missing?: string;
  outdated?: string;
  children: (data: Data) => ReactNode;
};

/** The states of a query other than its data: loading, failed, out of date. */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query } = props;
  const { data } = query;
  const { shownWith = [] } = props;
  const { reason, retry } = useLoadFailure(query, props.failure);
  if (!shownWith.every(isKnown) || (data === undefined && reason === undefined)) {
    if (!props.placeholder) return <Loading text={props.loadingText} />;
    return (
      <>
        <p role="status" className="sr-only">
          {props.loadingText}
        </p>
        {props.placeholder}
      </>
    );
  }
  const { missing = 'This could not be loaded', outdated = 'This may be out of date' } = props;
  return (
    <>
      {reason !== undefined && (
        <Alert
          tone="danger"
          title={data === undefined ? missing : outdated}
          className="mb-5"
          action={<RetryButton onRetry={retry} />}
        >
          {reason}
        </Alert>
      )}
      {data !== undefined && props.children(data)}
    </>
  );
}

/** Replaces the rows of an empty list. */
export function EmptyNote({ children }: { children: ReactNode }) {
  return (
    <p
      role="status"
      className="rounded-sm border border-dashed border-line-strong px-6 py-16 text-center text-muted"
    >
      {children}
    </p>
  );
}
