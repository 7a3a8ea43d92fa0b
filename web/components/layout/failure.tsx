// A whole screen that could not be shown: why, and a button to try again.
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';

type FailureProps = {
  title: string;
  message: string;
  retryLabel?: string;
  busy?: boolean;
  onRetry: () => void;
};

export function Failure(props: FailureProps) {
  const { title, message, retryLabel = 'Try again', busy, onRetry } = props;
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl place-items-center px-4">
      <Alert
        tone="danger"
        title={title}
        className="w-full"
        action={
          <Button variant="secondary" busy={busy} onClick={onRetry}>
            {retryLabel}
          </Button>
        }
      >
        {message}
      </Alert>
    </main>
  );
}
