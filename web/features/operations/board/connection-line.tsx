import { CircleCheck, WifiOff } from 'lucide-react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { formatTime } from '#web/lib/format/dates.ts';

type ConnectionProps = {
  isLost: boolean;
  /** When the server last answered, milliseconds. */
  confirmedAt: number | undefined;
};

/** Whether what the board shows is of now. */
export function ConnectionMark({ isLost, confirmedAt }: ConnectionProps) {
  if (confirmedAt === undefined) return null;
  return (
    <span
      className={`inline-flex items-center gap-1.5 text-sm font-semibold ${isLost ? 'text-danger' : 'text-success'}`}
    >
      {isLost ? (
        <WifiOff aria-hidden="true" className="size-4" />
      ) : (
        <CircleCheck aria-hidden="true" className="size-4" />
      )}
      {isLost ? 'No connection' : 'Live'}
    </span>
  );
}

export function ConnectionAlert({
  isLost,
  confirmedAt,
  onRetry,
}: ConnectionProps & { onRetry: () => void }) {
  if (!isLost || confirmedAt === undefined) return null;
  return (
    <Alert
      tone="danger"
      title={`No connection since ${formatTime(new Date(confirmedAt).toISOString())}; what you see may be old`}
      action={
        <Button variant="secondary" onClick={onRetry}>
          Try again
        </Button>
      }
    />
  );
}
