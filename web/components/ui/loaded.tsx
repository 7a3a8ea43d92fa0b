// Whatever a query brings, in every state but the rows themselves: loading, failed, out of date.
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { messageOf } from '#web/lib/errors.ts';

type LoadedProps<Data> = {
  query: UseQueryResult<Data>;
  loadingText: string;
  /** Title of a toast when loading fails; the message in the page comes in any case. */
  failure?: string;
  /** Titles of the message in the page: when nothing could be loaded, and when what is shown may be old. */
  missing?: string;
  outdated?: string;
  children: (data: Data) => ReactNode;
};

export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, failure } = props;
  const { data, error, isFetching } = query;

  useEffect(() => {
    if (error && failure) showError(failure, messageOf(error));
  }, [error, failure]);

  if (data === undefined && !error) return <Loading text={props.loadingText} />;
  const { missing = 'This could not be loaded', outdated = 'This may be out of date' } = props;
  return (
    <>
      {error && (
        <Alert
          tone="danger"
          title={data === undefined ? missing : outdated}
          className="mb-5"
          action={
            <Button variant="secondary" busy={isFetching} onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(error)}
        </Alert>
      )}
      {data !== undefined && props.children(data)}
    </>
  );
}
