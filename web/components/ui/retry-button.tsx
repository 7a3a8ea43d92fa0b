import { useState } from 'react';
import { Button, type ButtonStyle } from './button.tsx';
import { keepFocus } from './focus-places.ts';

type RetryButtonProps = {
  onRetry: () => unknown;
  label?: string;
  /** While something other than this button's own attempt is in progress. */
  busy?: boolean | undefined;
  variant?: ButtonStyle['variant'];
  className?: string;
};

/** Shows progress of its own presses only: attempts in the background change nothing on screen until they succeed. */
export function RetryButton(props: RetryButtonProps) {
  const { onRetry, label = 'Try again', busy = false, variant = 'secondary', className } = props;
  const [isRetrying, setRetrying] = useState(false);
  async function retry() {
    setRetrying(true);
    try {
      await onRetry();
    } finally {
      setRetrying(false);
    }
  }
  return (
    <Button
      variant={variant}
      className={className}
      busy={busy || isRetrying}
      onClick={() => void retry()}
      // The data may replace it at any time.
      onFocus={({ currentTarget }) => keepFocus(currentTarget)}
    >
      {label}
    </Button>
  );
}
