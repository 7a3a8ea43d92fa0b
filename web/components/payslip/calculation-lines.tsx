import { formatMoney } from '#shared/money.ts';
import { cn } from '#web/lib/cn.ts';
import type { Calculation } from '#web/lib/data/payslips.ts';

type CalculationLinesProps = { calculation: Calculation; currency: string; className?: string };

export function CalculationLines({ calculation, currency, className }: CalculationLinesProps) {
  if (!calculation || calculation.length === 0) return null;
  return (
    <div className={cn('grid gap-2 text-sm', className)}>
      <ul className="grid gap-2">
        {calculation.map(({ name, amount, how }) => (
          <li key={name}>
            <p className="flex justify-between gap-4 font-semibold">
              {name} <span className="tabular-nums">{formatMoney(amount, currency)}</span>
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
