// A whole screen that could not be shown: why, and a button to try again.
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';

type FailureProps = { title: string; message: string; onRetry: () => void };

export function Failure({ title, message, onRetry }: FailureProps) {
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl place-items-center px-4">
      <Alert
        tone="danger"
        title={title}
        className="w-full"
        action={
          <Button variant="secondary" onClick={onRetry}>
            Try again
          </Button>
        }
      >
        {message}
      </Alert>
    </main>
  );
}
