// How many guards are assigned and needed on a day, at all sites together; what is not covered stands out.
import { formatCount } from '#shared/count.ts';
import { cn } from '#web/lib/cn.ts';
import type { WeekPlan } from '../../api/list-week.ts';

type DayTotalProps = { total: ReturnType<WeekPlan['totals']['get']> };

export function DayTotal({ total }: DayTotalProps) {
  if (!total || total.shifts === 0) return <span className="font-normal text-muted">-</span>;
  return (
    <span className={cn(total.assigned < total.required && 'text-warning')}>
      {formatCount(total.assigned)}/{formatCount(total.required)}
      <span className="sr-only"> guards assigned</span>
    </span>
  );
}
