// Stands in for a screen that could not be shown.
import { Failure } from '#web/components/layout/failure.tsx';
import { useMissingFile } from '#web/components/layout/use-missing-file.ts';
import { isMissingFile } from '#web/lib/app/missing-file.ts';
import { messageOf } from '#web/lib/errors.ts';

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

export function ScreenFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isMissingFile(error)) return <MissingScreen error={error} />;
  return (
    <Failure title="This screen could not be shown" message={messageOf(error)} onRetry={onRetry} />
  );
}
