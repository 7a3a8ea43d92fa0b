// What the law gives the person of this type of leave, and what is left of it. A guide, and said to be one.
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { useBalance } from '../api/get-leave.ts';
import { TYPE_LABELS } from '../labels.ts';
import type { LeaveRow } from '../schema.ts';

export function BalanceGuide({ request }: { request: LeaveRow }) {
  const query = useBalance(request);
  return (
    <Loaded query={query} loadingText="Loading the balance...">
      {(balance) =>
        balance && (
          <section aria-label="Balance" className="border-t border-line pt-5 text-[0.9375rem]">
            <h3 className="mb-1 font-semibold">{TYPE_LABELS[request.type]} leave, as a guide</h3>
            {balance.entitled === null || balance.left === null ? (
              <p>
                No staff record with a hire date is linked to this account, so it can’t be said.
              </p>
            ) : (
              <p>
                {balance.entitled} days a year, {balance.used} taken:{' '}
                <strong>{balance.left} left</strong> before this request of {request.days}
                {request.days > balance.left && ', which goes beyond it'}.
              </p>
            )}
            <p className="mt-1 text-sm text-muted">
              {balance.rule}.
              {balance.year &&
                ` Counted over ${formatPeriod(balance.year.start_date, balance.year.end_date)}.`}{' '}
              Not legal advice.
            </p>
          </section>
        )
      }
    </Loaded>
  );
}
