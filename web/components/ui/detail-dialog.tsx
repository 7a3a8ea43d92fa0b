import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useDeferredValue } from 'react';
import { describeError } from '#web/lib/errors/error-message.ts';
import { Alert } from './alert.tsx';
import { Dialog } from './dialog.tsx';
import { Loading } from './loading.tsx';
import { RetryButton } from './retry-button.tsx';

type DetailDialogProps<Data> = {
  /** Null if the row doesn't exist or the user may not see it. */
  query: UseQueryResult<Data | null>;
  title: string;
  description?: string | undefined;
  /** Shown if there is no such row. */
  missing: string;
  onClose: () => void;
  children: (data: Data) => ReactNode;
};

export function DetailDialog<Data>(props: DetailDialogProps<Data>) {
  const { query, title, description, missing, onClose, children } = props;
  const { data, error, refetch } = query;
  // Renders the empty dialog first, so that the press is answered immediately.
  const isOpen = useDeferredValue(true, false);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      {...(description ? { description } : {})}
      className="sm:max-w-2xl"
    >
      {data && isOpen && children(data)}
      {data === null && <Alert title={missing} />}
      {((data && !isOpen) || (data === undefined && !error)) && <Loading />}
      {data === undefined && error && (
        <Alert
          tone="danger"
          title="This could not be loaded"
          action={<RetryButton onRetry={() => refetch()} />}
        >
          {describeError(error)}
        </Alert>
      )}
    </Dialog>
  );
}
