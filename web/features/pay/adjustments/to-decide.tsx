import { Link } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { useToDecide } from './api.ts';

/** How many adjustments nobody has decided, which no run pays before. */
export function AdjustmentsToDecide() {
  const { data: count = 0 } = useToDecide();
  if (count === 0) return null;
  return (
    <Alert
      title={count === 1 ? '1 adjustment to decide' : `${formatCount(count)} adjustments to decide`}
      action={
        <Link
          to="/admin/payruns/adjustments"
          search={{ status: 'to_decide' }}
          className={buttonStyles({ variant: 'secondary' })}
        >
          Adjustments
        </Link>
      }
    >
      A run pays what is approved when it is calculated.
    </Alert>
  );
}
