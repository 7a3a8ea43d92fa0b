import { formatCount } from '#shared/count.ts';
import type { BoardTotals } from './roster-totals.ts';

export function TotalsLine({ totals }: { totals: BoardTotals }) {
  return (
    <p role="status" className="flex flex-wrap items-baseline gap-x-4 text-sm tabular-nums">
      <span>
        <b>{formatCount(totals.filled)}</b> of {formatCount(totals.seats)} filled
      </span>
      {totals.seats > 0 && (
        <span className={totals.gaps > 0 ? 'font-semibold text-danger' : 'text-success'}>
          {totals.gaps > 0 ? `${formatCount(totals.gaps)} open` : '✓ Nothing open'}
        </span>
      )}
      <span>{formatCount(Math.round(totals.hours))} h</span>
      <span className={totals.overtime > 0 ? 'text-warning' : 'text-muted'}>
        {formatCount(Math.round(totals.overtime))} h overtime
      </span>
    </p>
  );
}
