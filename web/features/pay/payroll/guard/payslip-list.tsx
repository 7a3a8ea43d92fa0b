import { formatMoney } from '#shared/money.ts';
import { PayslipSheet } from '#web/components/payslip/payslip-sheet.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import type { Payslip } from '#web/lib/data/payslips.ts';
import { formatDay, formatPayPeriod } from '#web/lib/format/dates.ts';
import { usePayslips } from './api.ts';
import { EarningsCard } from './earnings-card.tsx';

type PayslipRowProps = { payslip: Payslip; onOpen: () => void };

function PayslipRow({ payslip, onOpen }: PayslipRowProps) {
  const { period_start, period_end, net_amount, currency, payment_date, payment_status } = payslip;
  const { returned_on } = payslip;
  return (
    <li>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        className="grid w-full grid-cols-[1fr_auto] gap-x-4 gap-y-1 px-4 py-4 text-left hover:bg-sunken/60 sm:px-5"
      >
        <span className="font-semibold">{formatPayPeriod(period_start, period_end)}</span>
        <span className="text-right font-semibold tabular-nums">
          {formatMoney(net_amount, currency)}
        </span>
        <span className="text-sm text-muted">
          {returned_on
            ? `Returned on ${formatDay(returned_on)}, to be paid again`
            : payment_date
              ? `Paid on ${formatDay(payment_date)}`
              : 'No payment date yet'}
        </span>
        <span className="justify-self-end">
          <StatusBadge status={payment_status} />
        </span>
      </button>
    </li>
  );
}

type PayslipListProps = {
  userId: string;
  /** Id of the payslip to show. */
  open: string | undefined;
  onOpen: (id: string | undefined) => void;
};

export function PayslipList({ userId, open, onOpen }: PayslipListProps) {
  const query = usePayslips(userId);
  const opened = query.data?.find(({ id }) => id === open);
  return (
    <>
      <div className="mb-6 empty:hidden">
        <EarningsCard userId={userId} />
      </div>
      <LoadedList
        title="My Payslips"
        level={1}
        query={query}
        loadingText="Loading payslips..."
        emptyText="No payslips yet. They appear here when payroll has been prepared for you."
      >
        {(payslip) => (
          <PayslipRow key={payslip.id} payslip={payslip} onOpen={() => onOpen(payslip.id)} />
        )}
      </LoadedList>
      {opened && (
        <Dialog open onOpenChange={() => onOpen(undefined)} title="Payslip">
          <PayslipSheet payslip={opened} />
        </Dialog>
      )}
    </>
  );
}
