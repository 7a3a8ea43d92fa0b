import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { flagLabel } from '#shared/attendance-flags.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, formatMinutes, formatTime, formatWeekday } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { attendanceList, type ListedRow } from './api.ts';
import { attendanceActions } from './attendance-actions.ts';
import { AttendanceDialog } from './attendance-dialog.tsx';
import { findPresence } from './attendance-states.ts';
import { ClockExceptions } from './clock-exceptions.tsx';
import { ClockWay } from './clock-way.tsx';
import { DaySheet } from './day-sheet.tsx';
import { clockExceptionsQuery } from './exceptions-api.ts';
import { mayCorrectAttendance } from './rights.ts';
import { type AttendanceSearch, shownDay } from './search.ts';
import { StateChips } from './state-chips.tsx';

const minutes = (count: number): string => (count === 0 ? '' : formatMinutes(count));

type TimeProps = { at: string | null; zone: string; way: string | null };

function Time({ at, zone, way }: TimeProps) {
  if (at === null) return '-';
  return (
    <>
      <time dateTime={at}>{formatTime(at, zone)}</time>
      {way && way !== 'phone' && (
        <SecondLine>
          <ClockWay way={way} />
        </SecondLine>
      )}
    </>
  );
}

const attendanceColumns: Column<ListedRow>[] = [
  {
    header: 'Guard',
    card: 'title',
    className: 'min-w-24',
    sort: 'guard',
    cell: (row) => row.guard_name,
  },
  {
    header: 'Site',
    className: 'min-w-24 compact:max-w-32',
    sort: 'site',
    cell: (row) => (
      <>
        <SiteLink id={row.site_id} name={row.site_name} />
        <SecondLine narrow compact="hidden">
          {row.client_name}
        </SecondLine>
      </>
    ),
  },
  {
    header: 'Shift',
    className: 'whitespace-nowrap',
    sort: 'shift',
    cell: (row) => (
      <>
        {formatTime(row.start_time, row.timezone)} - {formatTime(row.end_time, row.timezone)}
        <SecondLine compact="hidden">{formatWeekday(row.start_time, row.timezone)}</SecondLine>
      </>
    ),
  },
  {
    header: 'Clock In',
    className: 'whitespace-nowrap tabular-nums',
    sort: 'in',
    cell: (row) => <Time at={row.clock_in_at} zone={row.timezone} way={row.clock_in_way} />,
  },
  {
    header: 'Clock Out',
    className: 'whitespace-nowrap tabular-nums',
    sort: 'out',
    cell: (row) => <Time at={row.clock_out_at} zone={row.timezone} way={row.clock_out_way} />,
  },
  {
    header: 'Late',
    className: 'text-right whitespace-nowrap tabular-nums',
    sort: 'late',
    cell: (row) => minutes(row.late_minutes),
  },
  {
    header: 'Early',
    className: 'text-right whitespace-nowrap tabular-nums',
    sort: 'early',
    cell: (row) => minutes(row.early_minutes),
  },
  {
    header: 'Exceptions',
    className: 'compact:max-w-32',
    cell: (row) => {
      const exceptions = [
        ...row.flags.map((flag) =>
          flag === 'outside_fence' && row.outside_m !== null
            ? `${flagLabel(flag)}, ${row.outside_m} m`
            : flagLabel(flag),
        ),
        ...(row.is_corrected ? ['Corrected'] : []),
      ].join('; ');
      if (!exceptions && !row.needs_review) return null;
      return (
        <span className="text-sm" title={exceptions}>
          {exceptions}
          {row.needs_review && (
            <SecondLine className="font-semibold text-warning">To review</SecondLine>
          )}
        </span>
      );
    },
  },
  {
    header: 'State',
    card: 'aside',
    cell: (row) => {
      const { label, tone } = findPresence(row);
      return (
        <>
          <Badge tone={tone}>{label}</Badge>
          <SecondLine narrow>{row.no_show_reason}</SecondLine>
          <SecondLine narrow className="first-letter:uppercase">
            {row.said}
          </SecondLine>
        </>
      );
    },
  },
];

type AttendanceListProps = {
  search: AttendanceSearch;
  onChange: ChangeSearch<AttendanceSearch>;
  /** Further buttons of the screen. */
  buttons?: ReactNode;
};

export function AttendanceList({ search, onChange, buttons }: AttendanceListProps) {
  const { q, day, site, state, sort } = search;
  const { user, roles, isAdmin, isOpsManager, isSupervisor } = useAuth();
  const mayOversee = isAdmin || isOpsManager || isSupervisor;
  const [isSheetOpen, setSheetOpen] = useState(false);
  const shown = shownDay(search);
  const exceptions = useQuery({ ...clockExceptionsQuery, enabled: mayOversee });
  return (
    <ListScreen
      {...attendanceList.useScreen(search, onChange)}
      title="Attendance"
      subtitle={
        shown
          ? `Shifts starting on ${formatDay(shown)}, and shifts still in progress`
          : 'Open work from every day'
      }
      buttons={
        <>
          {buttons}
          {mayOversee && (
            <Link to="/staff/muster" className={buttonStyles({ variant: 'secondary' })}>
              Muster
            </Link>
          )}
          <Button variant="secondary" onClick={() => setSheetOpen(true)}>
            Day Sheet
          </Button>
        </>
      }
      noticeQuery={mayOversee ? exceptions : undefined}
      notice={mayOversee && <ClockExceptions onAttendance={(id) => onChange({ open: id })} />}
      summary={
        <StateChips
          search={search}
          onState={(next) => onChange({ state: next, page: undefined })}
        />
      }
      searchLabel="Search guards"
      filters={[
        { kind: 'day', key: 'day', label: 'Day', value: shown },
        { kind: 'site', key: 'site' },
        { kind: 'elsewhere', key: 'state' },
      ]}
      noMatch="No guards match. Change the search, the day or the filters."
      dense
      room={55}
      bulk={mayCorrectAttendance(roles) ? attendanceActions(user?.id) : undefined}
      Table={TableRows}
      columns={attendanceColumns}
      opens
      dialog={({ open, onClose }) => <AttendanceDialog key={open} id={open} onClose={onClose} />}
    >
      {isSheetOpen && (
        <DaySheet filters={{ q, day, site, state, sort }} onClose={() => setSheetOpen(false)} />
      )}
    </ListScreen>
  );
}
