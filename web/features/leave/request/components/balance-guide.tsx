// What the law gives of the chosen type, and what is left of it: a guide, with its source.
import { leaveBalance } from '#shared/leave-entitlement.ts';
import { formatPeriod, today } from '#web/lib/format/dates.ts';
import { TYPE_LABELS } from '../../labels.ts';
import { useHiredOn, useMyRequests } from '../api/my-requests.ts';
import type { RequestForm } from '../schema.ts';

const days = (count: number) => `${count} ${count === 1 ? 'day' : 'days'}`;

type BalanceGuideProps = {
  type: RequestForm['type'];
  /** First day of the request, which decides the year. */
  start: string;
};

export function BalanceGuide({ type, start }: BalanceGuideProps) {
  const { data: requests } = useMyRequests();
  const { data: hiredOn } = useHiredOn();
  if (type === '' || !requests || hiredOn === undefined) return null;
  const taken = requests.filter(
    (request) => request.type === type && request.status === 'approved',
  );
  const balance = leaveBalance(type, start || today(), hiredOn, taken);
  if (!balance) return null;
  const { entitled, used, left, year, rule } = balance;
  return (
    <section
      aria-label="Leave balance"
      className="rounded-sm border border-line bg-sunken px-4 py-3 text-sm"
    >
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold">{TYPE_LABELS[type]} leave, guide</span>
        <span className="tabular-nums">
          {left === null || entitled === null
            ? 'Your day of hire is not on record'
            : `${days(Math.max(0, left))} left of ${entitled}`}
        </span>
      </p>
      <p className="mt-1 text-muted">
        {rule}. {days(used)} approved
        {year ? ` in ${formatPeriod(year.start_date, year.end_date)}` : ''}. Source: Decent Work Act
        of Liberia, as mywage.org and the press report it; your contract may give more.
      </p>
    </section>
  );
}
