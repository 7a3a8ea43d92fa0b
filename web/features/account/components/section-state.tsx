// A part of the account that is still loading, or could not be loaded.
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { messageOf } from '#web/lib/errors/error-message.ts';

type SectionStateProps = { error: unknown; isFetching: boolean; onRetry: () => void };

export function SectionState({ error, isFetching, onRetry }: SectionStateProps) {
  if (!error) return <Loading className="py-6" />;
  return (
    <Alert
      tone="danger"
      title="This could not be loaded"
      action={
        <Button variant="secondary" busy={isFetching} onClick={onRetry}>
          Try again
        </Button>
      }
    >
      {messageOf(error)}
    </Alert>
  );
}
