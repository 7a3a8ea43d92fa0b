import { formatCount } from '#shared/count.ts';
import { cn } from '#web/lib/cn.ts';
import { VALIDITIES } from '#web/lib/vocabulary/statuses.ts';
import { useTotals } from './api.ts';
import type { Validity } from './schema.ts';

const CAPTIONS: Record<Validity, string> = {
  valid: 'Valid',
  expiring: 'Expiring within 30 days',
  expired: 'Expired',
};

const COLOURS: Record<Validity, string> = {
  valid: 'text-success',
  expiring: 'text-warning',
  expired: 'text-danger',
};

type ValidityTotalsProps = {
  value: Validity | undefined;
  onChange: (value: Validity | undefined) => void;
};

/** Counts by validity; pressing one filters the list by it. */
export function ValidityTotals({ value, onChange }: ValidityTotalsProps) {
  // A failed request leaves dashes here; the list below shows the error.
  const { data } = useTotals();
  const totalOf = (validity: Validity) =>
    data ? formatCount(data.reduce((sum, row) => sum + row[validity], 0)) : '–';
  return (
    <div className="mb-6 grid grid-cols-3 gap-3 sm:gap-4">
      {VALIDITIES.map((validity) => (
        <button
          key={validity}
          type="button"
          aria-pressed={value === validity}
          onClick={() => onChange(value === validity ? undefined : validity)}
          className={cn(
            'flex flex-col rounded-sm border border-line bg-raised p-3 text-left shadow-panel sm:px-5 sm:py-4',
            'transition-colors hover:border-line-strong',
            'aria-pressed:border-accent-fill aria-pressed:ring-1 aria-pressed:ring-accent-fill',
          )}
        >
          <span
            className={cn('font-semibold text-2xl tabular-nums sm:text-3xl', COLOURS[validity])}
          >
            {totalOf(validity)}
          </span>
          <span className="text-[0.8125rem] text-muted sm:text-sm">{CAPTIONS[validity]}</span>
        </button>
      ))}
    </div>
  );
}
