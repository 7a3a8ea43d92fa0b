// How the deductions came about, line by line.
import { formatDollars } from '#shared/money.ts';
import { cn } from '#web/lib/cn.ts';
import type { Calculation } from '../schema.ts';

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
