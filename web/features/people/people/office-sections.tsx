// Pay and history of a person, for those who may read them.
import { Link } from '@tanstack/react-router';
import { formatMoney } from '#shared/money.ts';
import { HistorySection } from '#web/components/records/history-section.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { ITEM_LINK } from '#web/components/ui/section-row.tsx';
import { formatDay, formatPayPeriod } from '#web/lib/format/dates.ts';
import { describeBasis } from '#web/lib/format/pay-basis.ts';
import type { StaffRecord } from './schema.ts';
import { useHistoryOf, usePayOf } from './sections-api.ts';

export function PaySection({ staff }: { staff: StaffRecord }) {
  const { salary_amount, pay_basis, hire_date } = staff;
  return (
    <LoadedCard title="Pay" query={usePayOf(staff.id)} loadingText="Loading pay...">
      {(records) => (
        <>
          <p className="border-b border-line px-4 py-3 text-sm text-muted sm:px-5">
            <strong className="text-ink tabular-nums">
              {describeBasis({ ...staff, amount: salary_amount, basis: pay_basis })}
            </strong>
            , hired {formatDay(hire_date)}
          </p>
          {records.length === 0 && (
            <p className="px-4 py-8 text-center text-muted">No payroll records yet.</p>
          )}
          <ul className="divide-y divide-line">
            {records.map((record) => (
              <li key={record.id}>
                <Link to="/admin/payroll" search={{ q: staff.full_name }} className={ITEM_LINK}>
                  <span className="min-w-0 flex-1">
                    <span className="block font-semibold">
                      {formatPayPeriod(record.period_start, record.period_end)}
                    </span>
                    <SecondLine wraps className="tabular-nums">
                      {formatMoney(record.net_amount, record.currency)}
                      {record.payment_date && `, paid ${formatDay(record.payment_date)}`}
                      {record.returned_on && `, returned ${formatDay(record.returned_on)}`}
                    </SecondLine>
                  </span>
                  <StatusBadge status={record.payment_status} />
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </LoadedCard>
  );
}

type HistoryProps = { id: string; staffId: string | undefined };

export function PersonHistory({ id, staffId }: HistoryProps) {
  return <HistorySection query={useHistoryOf(id, staffId)} row={id} />;
}
