// A whole screen that could not be shown: why, and a button to try again. Inside a portal it takes that screen's room only.
import type { ReactNode } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { cn } from '#web/lib/cn.ts';
import { Main, useIsInMain } from './main.tsx';

type FailureProps = {
  title: string;
  message: string;
  retryLabel?: string;
  busy?: boolean;
  onRetry: () => void;
  /** Another way on, beside trying again. */
  otherAction?: ReactNode;
};

export function Failure(props: FailureProps) {
  const { title, message, retryLabel = 'Try again', busy, onRetry, otherAction } = props;
  const isInMain = useIsInMain();
  const Room = isInMain ? 'div' : Main;
  return (
    <Room
      className={cn(
        'mx-auto grid max-w-xl place-items-center',
        isInMain ? 'sm:py-12' : 'min-h-dvh px-4',
      )}
    >
      <Alert
        tone="danger"
        title={title}
        className="w-full"
        action={
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" busy={busy} onClick={onRetry}>
              {retryLabel}
            </Button>
            {otherAction}
          </div>
        }
      >
        {message}
      </Alert>
    </Room>
  );
}
