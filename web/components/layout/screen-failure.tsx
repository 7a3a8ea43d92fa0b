// Stands in for a screen that could not be shown.

import { messageOf } from '#web/lib/errors/error-message.ts';
import { isMissingFile } from '#web/lib/errors/missing-file.ts';
import { Failure } from './failure.tsx';
import { useMissingFile } from './use-missing-file.ts';

function MissingScreen({ error }: { error: Error }) {
  const { title, message, isReloading, reload } = useMissingFile(
    error,
    'Reload the page to open it.',
  );
  return (
    <Failure
      title={title}
      message={message}
      retryLabel="Reload page"
      busy={isReloading}
      onRetry={reload}
    />
  );
}

type ScreenFailureProps = {
  /** Said where it is not a file of the app that is missing. */
  title?: string;
  error: unknown;
  onRetry: () => void;
};

export function ScreenFailure(props: ScreenFailureProps) {
  const { title = 'This screen could not be shown', error, onRetry } = props;
  if (isMissingFile(error)) return <MissingScreen error={error} />;
  return <Failure title={title} message={messageOf(error)} onRetry={onRetry} />;
}
