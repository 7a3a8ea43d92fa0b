import { formatMoney } from '#shared/money.ts';
import { formatQuantity, listLines, listYear, type Slip } from '#web/lib/data/payslips.ts';
import { PAY_LINE_SENTENCES } from '#web/lib/vocabulary/pay-lines.ts';

/** Each line of a pay run's payslip with its figures and the sentence that explains it, then gross, deductions and net. */
export function SlipLines({ slip }: { slip: Slip }) {
  const sums: [name: string, amount: number][] = [
    ['Gross', slip.gross],
    ['Deductions', -slip.deductions],
  ];
  const { employer, year } = listYear(slip);
  return (
    <div className="grid gap-4">
      <ul aria-label="Lines" className="divide-y divide-line border-y border-line">
        {listLines(slip).map((line) => (
          <li key={line.position} className="grid gap-0.5 py-2.5">
            <p className="grid grid-cols-[1fr_auto] gap-x-4 font-semibold">
              <span className="min-w-0 break-words">{line.label}</span>
              <span className="tabular-nums">{formatMoney(line.amount, slip.currency)}</span>
            </p>
            {line.kind && <p className="text-sm text-pretty">{PAY_LINE_SENTENCES[line.kind]}</p>}
            {formatQuantity(line) && (
              <p className="text-sm text-muted tabular-nums">{formatQuantity(line)}</p>
            )}
            <p className="text-sm text-pretty text-muted">{line.explanation}</p>
          </li>
        ))}
      </ul>
      <dl className="grid gap-1">
        {sums.map(([name, amount]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-muted">{name}</dt>
            <dd className="tabular-nums">{formatMoney(amount, slip.currency)}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 text-lg font-semibold">
          <dt>Net</dt>
          <dd className="tabular-nums">{formatMoney(slip.net, slip.currency)}</dd>
        </div>
        {employer !== undefined && employer > 0 && (
          <div className="flex justify-between gap-4 text-sm text-muted">
            <dt>Your employer also paid for NASSCORP</dt>
            <dd className="tabular-nums">{formatMoney(employer, slip.currency)}</dd>
          </div>
        )}
      </dl>
      {year.length > 0 && (
        <section aria-label="This year so far" className="border-t border-line pt-3 text-sm">
          <h3 className="mb-1 font-semibold">This year so far</h3>
          <dl className="grid gap-1">
            {year.map(([name, amount]) => (
              <div key={name} className="flex justify-between gap-4">
                <dt className="text-muted">{name}</dt>
                <dd className="tabular-nums">{formatMoney(amount, slip.currency)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}
