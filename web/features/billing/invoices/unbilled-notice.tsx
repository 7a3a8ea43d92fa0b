import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Alert } from '#web/components/ui/alert.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { formatHours } from '#web/lib/format/hours.ts';
import { forgottenQuery } from './unbilled-api.ts';

/** Warns of worked hours of closed months that no invoice contains; its own failure is not shown. */
export function UnbilledNotice() {
  const { data } = useQuery(forgottenQuery);
  if (data === undefined || data.totals.length === 0) return null;
  const { from, to, totals } = data;
  const clients = new Set(totals.map(({ client_id }) => client_id)).size;
  const hours = formatHours(totals.reduce((sum, { minutes }) => sum + minutes, 0));
  return (
    <Alert
      className="mb-5"
      title={`${hours} worked and not billed`}
      action={
        <Link
          to="/admin/invoices/unbilled"
          search={{ from, to }}
          className={buttonStyles({ variant: 'secondary' })}
        >
          Show Unbilled Hours
        </Link>
      }
    >
      {formatPeriod(from, to)}, at the sites of {clients === 1 ? '1 client' : `${clients} clients`}:
      on no invoice, and not waived.
    </Alert>
  );
}
