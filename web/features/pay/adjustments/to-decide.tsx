import { Link } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { useToDecide } from './api.ts';
import { useDueItems } from './items-api.ts';

const link = (search: { status?: 'to_decide' }) => (
  <Link
    to="/admin/payruns/adjustments"
    search={search}
    className={buttonStyles({ variant: 'secondary' })}
  >
    Adjustments
  </Link>
);

function ItemsToEnter() {
  const [severance, thirteenth] = [useDueItems('severance', 1), useDueItems('thirteenth_month', 1)];
  const count = (severance.data?.total ?? 0) + (thirteenth.data?.total ?? 0);
  if (count === 0) return null;
  return (
    <Alert
      title={`${formatCount(count)} to enter: severance or a thirteenth month`}
      action={link({})}
    >
      A run pays what is entered and approved when it is calculated.
    </Alert>
  );
}

/** How many adjustments nobody has decided or entered, which no run pays before. */
export function AdjustmentsToDecide() {
  const { data: count = 0 } = useToDecide();
  return (
    <div className="grid gap-4 empty:hidden">
      {count > 0 && (
        <Alert
          title={
            count === 1 ? '1 adjustment to decide' : `${formatCount(count)} adjustments to decide`
          }
          action={link({ status: 'to_decide' })}
        >
          A run pays what is approved when it is calculated.
        </Alert>
      )}
      <ItemsToEnter />
    </div>
  );
}
