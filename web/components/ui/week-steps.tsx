import type { ReactNode } from 'react';
import { formatPeriod, today } from '#web/lib/format/dates.ts';
import { dayAfter, findMonday } from '#web/lib/format/days.ts';
import { Steps } from './steps.tsx';

type WeekStepsProps = {
  /** yyyy-MM-dd */
  monday: string;
  onChange: (monday: string) => void;
  /** A figure of the week. */
  children: ReactNode;
};

/** Above the days of a week, in a section of a page. */
export function WeekSteps({ monday, onChange, children }: WeekStepsProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 border-b border-line px-2 py-1 sm:px-3">
      <div className="flex items-center">
        <Steps
          unit="week"
          iconClass="size-5"
          onStep={(step) => onChange(dayAfter(monday, 7 * step))}
        >
          <p aria-live="polite" className="px-1 text-sm font-semibold">
            {monday === findMonday(today())
              ? 'This week'
              : formatPeriod(monday, dayAfter(monday, 6))}
          </p>
        </Steps>
      </div>
      <p className="px-2 text-sm text-muted tabular-nums">{children}</p>
    </div>
  );
}
