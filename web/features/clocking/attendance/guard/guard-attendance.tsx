import { useId, useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { cn } from '#web/lib/cn.ts';
import {
  formatDayShort,
  formatMinutes,
  formatMonths,
  formatTime,
  formatWeekday,
} from '#web/lib/format/dates.ts';
import { useGuardAttendance, type WorkedShift } from './api.ts';
import { HourBar, HourBars } from './hour-bars.tsx';
import {
  countMinutes,
  countOvertime,
  listExceptions,
  minutesThisWeek,
  REGULAR_WEEK_MINUTES,
  sumTotals,
  type Total,
} from './worked-hours.ts';

function clockTimes({ attendance, shift }: WorkedShift): string {
  if (attendance.length === 0) return '-';
  const { timezone } = shift.site;
  return attendance
    .map(({ clock_in_at, clock_out_at }) => {
      const out = clock_out_at ? formatTime(clock_out_at, timezone) : '...';
      return `${formatTime(clock_in_at, timezone)} - ${out}`;
    })
    .join(', ');
}

type WorkedShiftsProps = { label: string; shifts: WorkedShift[]; now: Date };

function WorkedShifts({ label: listLabel, shifts, now }: WorkedShiftsProps) {
  return (
    <ul aria-label={listLabel} className="divide-y divide-line">
      {shifts.map((worked) => {
        const { id, shift } = worked;
        const exceptions = listExceptions(worked, now);
        return (
          <li key={id} className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3.5 sm:px-5">
            <p className="font-semibold">
              {formatWeekday(shift.start_time, shift.site.timezone)}
              <span className="block text-sm font-normal break-words text-muted">
                {shift.site.name}
              </span>
            </p>
            <p className="text-right tabular-nums">
              <span className="font-semibold">{formatMinutes(countMinutes(worked))}</span>
              <SecondLine wraps>{clockTimes(worked)}</SecondLine>
            </p>
            {exceptions.length > 0 && (
              <ul aria-label="Exceptions" className="col-span-2 mt-1.5 flex flex-wrap gap-1.5">
                {exceptions.map((label) => (
                  <li key={label}>
                    <Badge tone={label === 'Corrected' ? 'blue' : 'orange'}>{label}</Badge>
                  </li>
                ))}
              </ul>
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** About two months. */
const WEEKS_SHOWN = 9;
const monthName = ({ start }: Total) => formatMonths(start, start);

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <Item
      name={name}
      className="text-xl leading-tight font-semibold whitespace-nowrap tabular-nums sm:text-2xl"
    >
      {value}
    </Item>
  );
}

function ThisWeek({ shifts, now }: { shifts: WorkedShift[]; now: Date }) {
  const minutes = minutesThisWeek(shifts, now);
  const overtime = countOvertime(minutes);
  const regular = REGULAR_WEEK_MINUTES;
  return (
    <section aria-label="This week" className="border-b border-line px-4 py-5 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-sm font-semibold text-muted">This week</h2>
        <p className="text-sm text-muted">48 regular hours from Monday</p>
      </div>
      <p className="mt-1 text-3xl leading-tight font-semibold tabular-nums">
        {formatMinutes(minutes)}
      </p>
      <HourBar
        minutes={minutes}
        most={Math.max(minutes, regular) * 1.25}
        regular={regular}
        className="mt-3 h-4"
      />
      <p className={cn('mt-2 font-semibold', overtime > 0 && 'text-warning')}>
        {overtime > 0
          ? `${formatMinutes(overtime)} overtime`
          : `${formatMinutes(regular - minutes)} left before overtime`}
      </p>
    </section>
  );
}

function Record({ shifts, now }: { shifts: WorkedShift[]; now: Date }) {
  const weeks = sumTotals(shifts, 'week', now).slice(0, WEEKS_SHOWN);
  const months = sumTotals(shifts, 'month', now);
  const monthId = useId();
  const [chosen, setChosen] = useState<string>();
  const month = months.find(({ start }) => start === chosen) ?? months[0];
  const [week] = weeks;
  if (!month || !week) return null;
  return (
    <>
      <ThisWeek shifts={shifts} now={now} />
      <Tabs defaultValue="week" className="border-b border-line">
        <TabsList aria-label="Hours by">
          <TabsTrigger value="week">By week</TabsTrigger>
          <TabsTrigger value="month">By month</TabsTrigger>
        </TabsList>
        <TabsContent value="week" className="px-4 py-3 sm:px-5">
          <HourBars
            label="Hours by week"
            totals={weeks}
            nameOf={({ start }) => `From ${formatDayShort(start)}`}
            regular={REGULAR_WEEK_MINUTES}
          />
        </TabsContent>
        <TabsContent value="month" className="px-4 py-3 sm:px-5">
          <HourBars label="Hours by month" totals={months} nameOf={monthName} />
        </TabsContent>
      </Tabs>
      <div className="border-b border-line px-4 py-4 sm:px-5">
        <div className="flex items-center gap-3">
          <label htmlFor={monthId} className="text-sm text-muted">
            Month
          </label>
          <Select
            id={monthId}
            value={month.start}
            onChange={(event) => setChosen(event.target.value)}
            className="w-auto"
          >
            {months.map((each) => (
              <option key={each.start} value={each.start}>
                {monthName(each)}
              </option>
            ))}
          </Select>
        </div>
        <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
          <Figure name="Hours" value={formatMinutes(month.minutes)} />
          <Figure name="Shifts" value={String(month.shifts.length)} />
          <Figure name="Late" value={formatMinutes(month.lateMinutes)} />
          <Figure name="With exceptions" value={String(month.exceptions)} />
        </dl>
      </div>
      <WorkedShifts label={`Shifts of ${monthName(month)}`} shifts={month.shifts} now={now} />
    </>
  );
}

export function GuardAttendance({ userId }: { userId: string }) {
  const [now] = useState(() => new Date(serverNow()));
  return (
    <LoadedCard
      title="My Attendance"
      level={1}
      query={useGuardAttendance(userId)}
      loadingText="Loading attendance..."
      emptyText="No past shifts yet. Each shift you work appears here with its hours."
    >
      {(shifts) => <Record shifts={shifts} now={now} />}
    </LoadedCard>
  );
}
