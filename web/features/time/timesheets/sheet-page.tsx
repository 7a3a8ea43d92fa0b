// A person's timesheet: what to decide, then day by day planned beside worked beside paid, in weeks.
import { type ReactNode, useState } from 'react';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { cn } from '#web/lib/cn.ts';
import { formatMinutes, formatPayPeriod } from '#web/lib/format/dates.ts';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { ApproveButton } from './approve-button.tsx';
import { DayActions } from './day-actions.tsx';
import { DAY_GRID, DayAxis, DayRow, FigureCells, Legend } from './day-row.tsx';
import { DisputeNote } from './dispute-note.tsx';
import { useIssues } from './issue-api.ts';
import { IssueList } from './issue-list.tsx';
import { ReopenDialog } from './reopen-dialog.tsx';
import { groupWeeks, type SheetWeek, toSheetDays } from './sheet-days.ts';
import { SheetHeader } from './sheet-header.tsx';
import { type NamedSheet, useNamedSheet } from './sheet-page-api.ts';

type WeekProps = { week: SheetWeek; guard: string; actionsOf: (day: string) => ReactNode };

function Week({ week, guard, actionsOf }: WeekProps) {
  const title = `Week from ${formatDayOfWeek(week.monday)}`;
  return (
    <li>
      <div className={cn(DAY_GRID, 'border-y border-line bg-sunken px-4 py-2 sm:px-5')}>
        <h3 className="text-sm font-semibold whitespace-nowrap lg:col-span-2">{title}</h3>
        <p className="text-right text-sm font-semibold tabular-nums lg:hidden">
          {formatMinutes(week.paid)} paid
        </p>
        <FigureCells {...week} />
      </div>
      <ul aria-label={title} className="divide-y divide-line">
        {week.days.map((day) => (
          <DayRow key={day.day} day={day} heading="h4">
            {day.disputes
              .filter(({ status }) => status === 'answered')
              .map((dispute) => (
                <DisputeNote key={dispute.id} author={guard} dispute={dispute} />
              ))}
            {actionsOf(day.day)}
          </DayRow>
        ))}
      </ul>
    </li>
  );
}

function Heading() {
  return (
    <div className={cn(DAY_GRID, 'px-4 pt-3 pb-1 text-sm text-muted max-lg:hidden sm:px-5')}>
      <span>Day</span>
      <DayAxis />
      {['Planned', 'Worked', 'Paid'].map((name) => (
        <span key={name} className="text-right">
          {name}
        </span>
      ))}
    </div>
  );
}

type ToDecideProps = {
  sheet: NamedSheet;
  isDecidable: boolean;
  onAttendance: (id: string) => void;
};

function ToDecide({ sheet, isDecidable, onAttendance }: ToDecideProps) {
  const [ids] = useState(() => [sheet.id]);
  const issues = useIssues(ids).data?.get(sheet.id) ?? [];
  if (sheet.open_issues === 0 || issues.length === 0) return null;
  return (
    <Card className="mb-5 border-l-4 border-l-warning px-5 py-3 sm:px-6">
      <section aria-label="To decide">
        <h3 className="font-display text-xl leading-tight">To decide</h3>
        <IssueList
          issues={issues}
          guard={formatName(sheet.guard)}
          isDecidable={isDecidable}
          onAttendance={onAttendance}
        />
      </section>
    </Card>
  );
}

/** Opens the attendance of a record or an assignment; the portal composes it from another feature. */
export type RenderAttendance = (id: string, onClose: () => void) => ReactNode;

type PageProps = { sheet: NamedSheet; attendance: RenderAttendance };

function Page({ sheet, attendance }: PageProps) {
  const { user, isAdmin, isOpsManager, isSupervisor, isHr } = useAuth();
  const [opened, setOpened] = useState<string>();
  const [isReopening, setReopening] = useState(false);
  const days = toSheetDays(sheet);
  const name = formatName(sheet.guard);
  const isOwn = sheet.user_id === user?.id;
  const mayApprove = (isAdmin || isOpsManager || isSupervisor || isHr) && !isOwn;
  const isFinal = sheet.status === 'approved' || sheet.status === 'locked';
  const isDecidable = mayApprove && !isFinal;
  const actionsOf = (day: string) => (
    <DayActions sheet={sheet} day={day} isDecidable={isDecidable} onAttendance={setOpened} />
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <Breadcrumbs
          trail={[{ label: 'Timesheets', to: '/admin/timesheets' }]}
          current={`${name}, ${formatPayPeriod(sheet.period_start, sheet.period_end)}`}
        />
        {mayApprove && (
          <div className="flex gap-3 print:hidden">
            {!isFinal && <ApproveButton sheet={sheet} />}
            {sheet.status === 'approved' && (
              <Button variant="secondary" onClick={() => setReopening(true)}>
                Reopen
              </Button>
            )}
          </div>
        )}
      </div>
      <SheetHeader sheet={sheet} days={days} />
      {isOwn && (
        <Alert title="This is your own timesheet" className="mb-5">
          Someone else has to approve it and decide about it.
        </Alert>
      )}
      <ToDecide sheet={sheet} isDecidable={isDecidable} onAttendance={setOpened} />
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3 sm:px-5">
          <h3 className="font-display text-xl leading-tight">Days</h3>
          <Legend classes={sheet.segments.map((segment) => segment.class)} />
        </div>
        <Heading />
        <ul>
          {groupWeeks(days).map((week) => (
            <Week key={week.monday} week={week} guard={name} actionsOf={actionsOf} />
          ))}
        </ul>
      </Card>
      {opened && attendance(opened, () => setOpened(undefined))}
      {isReopening && <ReopenDialog id={sheet.id} onClose={() => setReopening(false)} />}
    </>
  );
}

export function SheetPage({ id, attendance }: { id: string; attendance: RenderAttendance }) {
  const query = useNamedSheet(id);
  usePageTitle(query.data ? `Timesheet of ${formatName(query.data.guard)}` : 'Timesheet');
  return (
    <Loaded query={query} loadingText="Loading the timesheet...">
      {(sheet) =>
        sheet === null ? (
          <Alert title="There is no such timesheet">
            It does not exist any more, or you may not see it.
          </Alert>
        ) : (
          <Page sheet={sheet} attendance={attendance} />
        )
      }
    </Loaded>
  );
}
