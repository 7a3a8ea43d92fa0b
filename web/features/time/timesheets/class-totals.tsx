import { cn } from '#web/lib/cn.ts';
import { formatMinutes } from '#web/lib/format/dates.ts';
import { CLASS_LOOKS, CLASSES, PAID_CLASSES, type SegmentClass } from './segment-classes.ts';
import type { Sheet } from './sheet-api.ts';

type Minutes = Pick<Sheet, `${SegmentClass}_minutes` | 'credited_minutes'>;

const minutesOf = (sheet: Minutes, name: SegmentClass) => sheet[`${name}_minutes`];

/** Every class but the unpaid ones, with grace and rounding. */
export const paidMinutes = (sheet: Minutes) =>
  PAID_CLASSES.reduce((sum, name) => sum + minutesOf(sheet, name), sheet.credited_minutes);

export function ClassTotals({ sheet, className }: { sheet: Minutes; className?: string }) {
  const shown = CLASSES.filter((name) => minutesOf(sheet, name) > 0);
  const { credited_minutes } = sheet;
  return (
    <dl className={cn('grid gap-x-6 gap-y-1.5', className)}>
      {shown.map((name) => (
        <div key={name} className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className={cn('size-3 shrink-0 rounded-[2px]', CLASS_LOOKS[name].fill)}
          />
          <dt className="flex-1 text-muted">{CLASS_LOOKS[name].label}</dt>
          <dd className="tabular-nums">{formatMinutes(minutesOf(sheet, name))}</dd>
        </div>
      ))}
      {credited_minutes !== 0 && (
        <div className="flex items-center gap-2">
          <span aria-hidden="true" className="size-3 shrink-0" />
          <dt className="flex-1 text-muted">Grace and rounding</dt>
          <dd className="tabular-nums">
            {credited_minutes < 0 ? '−' : '+'}
            {formatMinutes(Math.abs(credited_minutes))}
          </dd>
        </div>
      )}
    </dl>
  );
}
