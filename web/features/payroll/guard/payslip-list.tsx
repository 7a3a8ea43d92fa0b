import { useState } from 'react';
import { formatDollars } from '#shared/money.ts';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { formatDay, formatPayPeriod } from '#web/lib/format/dates.ts';
import { PayslipDialog } from '../payslip-dialog.tsx';
import type { Payslip } from '../schema.ts';
import { usePayslips } from './api.ts';

type PayslipRowProps = { payslip: Payslip; onOpen: () => void };

function PayslipRow({ payslip, onOpen }: PayslipRowProps) {
  const { period_start, period_end, net_amount, payment_date, payment_status } = payslip;
  return (
    <li>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onOpen}
        className="grid w-full grid-cols-[1fr_auto] gap-x-4 gap-y-1 px-4 py-4 text-left hover:bg-sunken/60 sm:px-5"
      >
        <span className="font-semibold">{formatPayPeriod(period_start, period_end)}</span>
        <span className="text-right font-semibold tabular-nums">{formatDollars(net_amount)}</span>
        <span className="text-sm text-muted">
          {payment_date ? `Paid on ${formatDay(payment_date)}` : 'No payment date yet'}
        </span>
        <span className="justify-self-end">
          <StatusBadge status={payment_status} />
        </span>
      </button>
    </li>
  );
}

export function PayslipList({ userId }: { userId: string }) {
  const [opened, setOpened] = useState<Payslip>();
  return (
    <>
      <LoadedCard
        title="My Payslips"
        level={1}
        query={usePayslips(userId)}
        loadingText="Loading payslips..."
        isEmpty={(payslips) => payslips.length === 0}
        emptyText="No payslips yet. They appear here when payroll has been prepared for you."
      >
        {(payslips) => (
          <ul aria-label="My Payslips" className="divide-y divide-line">
            {payslips.map((payslip) => (
              <PayslipRow key={payslip.id} payslip={payslip} onOpen={() => setOpened(payslip)} />
            ))}
          </ul>
        )}
      </LoadedCard>
      {opened && <PayslipDialog row={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
