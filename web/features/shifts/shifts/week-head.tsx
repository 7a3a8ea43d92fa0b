import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { today } from '#web/lib/format/dates.ts';

type WeekHeadProps = {
  /** For the first column. */
  corner: { name: string; className: string };
  days: readonly string[];
  dayClass: string;
  children: (day: string) => ReactNode;
};

/** The heading of a table with a column for each day. */
export function WeekHead({ corner, days, dayClass, children }: WeekHeadProps) {
  const now = today();
  return (
    <thead className="bg-sunken">
      <tr>
        <th scope="col" className={cn('pl-4 font-semibold text-muted', corner.className)}>
          {corner.name}
        </th>
        {days.map((day) => (
          <th
            key={day}
            scope="col"
            className={cn(dayClass, day === now && 'bg-accent-fill/20')}
            aria-current={day === now ? 'date' : undefined}
          >
            {children(day)}
          </th>
        ))}
      </tr>
    </thead>
  );
}
