import { Link } from '@tanstack/react-router';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime, formatMinutes, formatPayPeriod } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { ClassTotals, paidMinutes } from './class-totals.tsx';
import { type SheetDay, sumFigures } from './sheet-days.ts';
import type { NamedSheet } from './sheet-page-api.ts';

type StepProps = { id: string | undefined; label: string; Icon: typeof ChevronLeft };

/** To the timesheet before or after this one. */
function Step({ id, label, Icon }: StepProps) {
  if (!id) return null;
  return (
    <Link
      to="/admin/timesheets/$id"
      params={{ id }}
      aria-label={label}
      title={label}
      className={buttonStyles({ variant: 'ghost', size: 'icon' })}
    >
      <Icon aria-hidden="true" className="size-5" />
    </Link>
  );
}

function Figure({ name, minutes, tone }: { name: string; minutes: number; tone?: string }) {
  return (
    <Item name={name} className={cn('text-xl font-semibold whitespace-nowrap tabular-nums', tone)}>
      {formatMinutes(minutes)}
    </Item>
  );
}

/** Who did what, when. */
function historyOf(sheet: NamedSheet): string[] {
  const { submitted_at, approved_at, locked_at, approver, note } = sheet;
  return [
    note,
    submitted_at && `The guard said that it looks right, ${formatDateTime(submitted_at)}.`,
    approved_at &&
      `Approved by ${approver ? formatName(approver) : 'a former user'}, ${formatDateTime(approved_at)}.`,
    locked_at && `Locked for pay, ${formatDateTime(locked_at)}.`,
  ].filter((entry) => typeof entry === 'string');
}

type SheetHeaderProps = { sheet: NamedSheet; days: readonly SheetDay[] };

export function SheetHeader({ sheet, days }: SheetHeaderProps) {
  const { user_id, guard, period_start, period_end, status, before, after } = sheet;
  const { worked } = sumFigures(days);
  return (
    <Card className="mb-5 grid gap-5 p-5 sm:p-6 lg:grid-cols-[1fr_19rem]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <h2 className="font-display text-3xl leading-tight">
            <PersonLink id={user_id} name={formatName(guard)} />
          </h2>
          <StatusBadge status={status} />
        </div>
        <div className={cn('flex min-h-11 items-center', before && '-ml-3')}>
          <Step id={before} label="Earlier timesheet" Icon={ChevronLeft} />
          <p className={cn('font-semibold', before && 'px-1')}>
            {formatPayPeriod(period_start, period_end)}
          </p>
          <Step id={after} label="Later timesheet" Icon={ChevronRight} />
        </div>
        <dl className="mt-3 grid grid-cols-2 gap-x-6 gap-y-3 xl:grid-cols-4">
          <Figure name="Planned" minutes={sheet.planned_minutes} />
          <Figure name="Worked" minutes={worked} />
          <Figure name="Paid" minutes={paidMinutes(sheet)} />
          <Figure
            name="Missing"
            minutes={sheet.missing_minutes}
            {...(sheet.missing_minutes > 0 && { tone: 'text-danger' })}
          />
        </dl>
        <ul className="mt-4 grid gap-1 text-sm text-muted empty:hidden">
          {historyOf(sheet).map((entry) => (
            <li key={entry}>{entry}</li>
          ))}
        </ul>
      </div>
      <ClassTotals sheet={sheet} className="content-start border-line lg:border-l lg:pl-6" />
    </Card>
  );
}
