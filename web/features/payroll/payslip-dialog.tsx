import { centsOf, formatDollars } from '#shared/money.ts';
import { Letterhead } from '#web/components/layout/letterhead.tsx';
import { PrintButton } from '#web/components/list/list-buttons.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDay, formatPeriod } from '#web/lib/format/dates.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { PayslipFileButtons } from './payslip-file.tsx';
import { explanationOf } from './rules.ts';
import type { Calculation, Payslip } from './schema.ts';

type CalculationLinesProps = { calculation: Calculation; className?: string };

export function CalculationLines({ calculation, className }: CalculationLinesProps) {
  if (!calculation || calculation.length === 0) return null;
  return (
    <div className={cn('grid gap-2 text-sm', className)}>
      <ul className="grid gap-2">
        {calculation.map(({ name, amount, how }) => (
          <li key={name}>
            <p className="flex justify-between gap-4 font-semibold">
              {name} <span className="tabular-nums">{formatDollars(amount)}</span>
            </p>
            <p className="text-muted">{how}</p>
          </li>
        ))}
      </ul>
      <p className="text-muted">
        Suggested from the pay rates on record; not legal advice. Check them with the authorities.
      </p>
    </div>
  );
}

function Line({ name, children, strong }: { name: string; children: string; strong?: boolean }) {
  return (
    <div
      className={`flex justify-between gap-4 border-b border-line py-2 ${strong ? 'text-lg font-semibold' : ''}`}
    >
      <dt>{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}

export function PayslipDialog({ row, onClose }: { row: Payslip; onClose: () => void }) {
  const calculation = explanationOf(row);
  return (
    <Dialog open onOpenChange={onClose} title="Payslip">
      <div data-print className="grid gap-6">
        <Letterhead />
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
          <div>
            <dt className="text-muted">Name</dt>
            <dd className="font-semibold">{row.staff.full_name}</dd>
          </div>
          <div>
            <dt className="text-muted">Role</dt>
            <dd>{ROLE_LABELS[row.staff.role]}</dd>
          </div>
          <div>
            <dt className="text-muted">Period</dt>
            <dd>{formatPeriod(row.period_start, row.period_end)}</dd>
          </div>
          <div>
            <dt className="text-muted">Payment</dt>
            <dd>
              {STATUS_LABELS[row.payment_status]}
              {row.payment_date && `, ${formatDay(row.payment_date)}`}
            </dd>
          </div>
        </dl>
        <dl>
          <Line name="Base Amount">{formatDollars(row.base_amount)}</Line>
          <Line name="Deductions">{formatDollars(-centsOf(row.deductions))}</Line>
          <Line name="Bonuses">{formatDollars(row.bonuses)}</Line>
          <Line name="Net Amount" strong>
            {formatDollars(row.net_amount)}
          </Line>
        </dl>
        <CalculationLines calculation={calculation} />
        {row.notes && <p className="text-sm whitespace-pre-line text-muted">{row.notes}</p>}
        <div className="flex flex-wrap justify-end gap-3 max-sm:[&>*]:flex-1 print:hidden">
          <PrintButton />
          <PayslipFileButtons payslip={row} />
        </div>
      </div>
    </Dialog>
  );
}
