import { formatMoney, parseCents } from '#shared/money.ts';
import { Letterhead } from '#web/components/layout/letterhead.tsx';
import { PrintButton } from '#web/components/list/list-buttons.tsx';
import {
  describePayment,
  explainDeductions,
  listNumbers,
  type Payslip,
} from '#web/lib/data/payslips.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { ROLE_LABELS } from '#web/lib/vocabulary/roles.ts';
import { CalculationLines } from './calculation-lines.tsx';
import { PayslipFileButtons } from './payslip-file.tsx';
import { SlipLines } from './slip-lines.tsx';

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

/** The amounts of a record that no pay run wrote. */
function RecordLines({ payslip }: { payslip: Payslip }) {
  const { currency } = payslip;
  return (
    <>
      <dl>
        <Line name="Base Amount">{formatMoney(payslip.base_amount, currency)}</Line>
        <Line name="Deductions">{formatMoney(-parseCents(payslip.deductions), currency)}</Line>
        <Line name="Bonuses">{formatMoney(payslip.bonuses, currency)}</Line>
        <Line name="Net Amount" strong>
          {formatMoney(payslip.net_amount, currency)}
        </Line>
      </dl>
      <CalculationLines calculation={explainDeductions(payslip)} currency={currency} />
    </>
  );
}

export function PayslipSheet({ payslip }: { payslip: Payslip }) {
  return (
    <div data-print className="grid gap-6">
      <Letterhead />
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
        <div>
          <dt className="text-muted">Name</dt>
          <dd className="font-semibold">{payslip.staff.full_name}</dd>
        </div>
        <div>
          <dt className="text-muted">Role</dt>
          <dd>{ROLE_LABELS[payslip.staff.role]}</dd>
        </div>
        {listNumbers(payslip.staff).map(([name, number]) => (
          <div key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums">{number}</dd>
          </div>
        ))}
        <div>
          <dt className="text-muted">Period</dt>
          <dd>{formatPeriod(payslip.period_start, payslip.period_end)}</dd>
        </div>
        <div>
          <dt className="text-muted">Payment</dt>
          <dd>
            {describePayment(payslip)}
            {payslip.return_reason && (
              <span className="block text-muted">
                {payslip.return_reason}. It will be paid again.
              </span>
            )}
          </dd>
        </div>
      </dl>
      {payslip.payslips ? <SlipLines slip={payslip.payslips} /> : <RecordLines payslip={payslip} />}
      {payslip.notes && <p className="text-sm whitespace-pre-line text-muted">{payslip.notes}</p>}
      <div className="flex flex-wrap justify-end gap-3 max-sm:[&>*]:flex-1 print:hidden">
        <PrintButton />
        <PayslipFileButtons payslip={payslip} />
      </div>
    </div>
  );
}
