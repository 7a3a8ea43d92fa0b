import { formatMoney } from '#shared/money.ts';
import { PrintButton } from '#web/components/list/list-buttons.tsx';
import { DetailDialog } from '#web/components/ui/detail-dialog.tsx';
import { type SlipDetails, usePayslip } from './api.ts';
import type { PayslipLine } from './schema.ts';

/** Hours have two decimals, days and shifts as many as they need. */
const quantityOf = ({ quantity, unit }: PayslipLine) =>
  quantity === null ? '' : `${unit === 'h' ? quantity.toFixed(2) : quantity} ${unit}`.trim();

/** Each line with its figures and the sentence that explains it. */
export function SlipLines({ slip, lines }: SlipDetails) {
  return (
    <div className="grid gap-4">
      <ul className="divide-y divide-line border-y border-line">
        {lines.map((line) => (
          <li key={line.id} className="py-2.5">
            <p className="flex flex-wrap justify-between gap-x-4 font-semibold">
              <span className="min-w-0 break-words">{line.label}</span>
              <span className="tabular-nums">{formatMoney(line.amount, slip.currency)}</span>
            </p>
            <p className="text-sm text-pretty text-muted">
              {line.unit && line.quantity !== null && line.rate !== null && (
                <span className="mr-2 tabular-nums">
                  {quantityOf(line)} × {line.rate}
                </span>
              )}
              {line.explanation}
            </p>
          </li>
        ))}
      </ul>
      <dl className="grid gap-1">
        {[
          ['Gross', slip.gross],
          ['Deductions', -slip.deductions],
        ].map(([name, amount]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums">{formatMoney(amount, slip.currency)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 text-lg font-semibold">
          <dt>Net</dt>
          <dd className="tabular-nums">{formatMoney(slip.net, slip.currency)}</dd>
        </div>
      </dl>
    </div>
  );
}

export function SlipDialog({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDialog
      query={usePayslip(id)}
      title="Payslip"
      missing="This payslip does not exist."
      onClose={onClose}
    >
      {(details) => (
        <div data-print className="grid gap-5">
          <p className="text-lg font-semibold">{details.slip.staff.full_name}</p>
          <SlipLines {...details} />
          <div className="flex justify-end print:hidden">
            <PrintButton />
          </div>
        </div>
      )}
    </DetailDialog>
  );
}
