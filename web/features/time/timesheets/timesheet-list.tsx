// The timesheets of a period: first the people with something to decide, then everyone.

import { CheckCheck } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { TIMESHEETS_STATUS } from '#shared/database.values.ts';
import { choice } from '#web/components/list/filters.tsx';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import { cn } from '#web/lib/cn.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { listIds } from '#web/lib/data/many-rows.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { ApproveAll } from './approve-button.tsx';
import { EqualCases } from './equal-issues.tsx';
import { useIssues } from './issue-api.ts';
import { ISSUE_FILTER, issueLabel } from './issue-kinds.ts';
import { PeriodChooser } from './period-chooser.tsx';
import { PersonCard } from './person-card.tsx';
import { shownPeriod, type TimesheetSearch } from './search.ts';
import { sheetColumns } from './sheet-columns.tsx';
import type { RenderAttendance } from './sheet-page.tsx';
import {
  approveSelected,
  type ListedSheet,
  timesheetList,
  useSheetCounts,
} from './timesheet-api.ts';

const ISSUE = choice(
  'issue',
  'To decide',
  'Everything to decide',
  ISSUE_FILTER.map((kind) => [kind, issueLabel(kind)]),
);
const STATUS = choice(
  'status',
  'Status',
  'All statuses',
  toOptions(TIMESHEETS_STATUS, STATUS_LABELS),
);
const SITE = { kind: 'site', key: 'site' } as const;

/** @param me id of the user, who can't approve their own timesheet */
const actionsOf = (me: string | undefined): BulkActions<ListedSheet> => ({
  noun: ['timesheet', 'timesheets'],
  nameOf: (row) => row.full_name,
  actions: [
    {
      label: 'Approve',
      icon: CheckCheck,
      appliesTo: ({ open_issues, status, user_id }) =>
        open_issues === 0 && (status === 'open' || status === 'submitted') && user_id !== me,
      leftOut: 'undecided, already approved, or your own',
      consequence: (rows) =>
        `${rows.length === 1 ? 'Its hours go' : 'Their hours go'} into the next pay run as they are. Until it is locked, each can be reopened with a reason.`,
      run: (rows) => approveSelected(listIds(rows)),
      done: 'approved',
    },
  ],
});

type TabsProps = {
  search: TimesheetSearch;
  /** Undefined until it is known. */
  toDecide: number | undefined;
  everyone: number | undefined;
  onChange: ChangeSearch<TimesheetSearch>;
};

function Views({ search, toDecide, everyone, onChange }: TabsProps) {
  const views = [
    { show: undefined, label: 'To decide', count: toDecide },
    { show: 'all', label: 'Everyone', count: everyone },
  ] as const;
  return (
    <fieldset className="flex gap-2 print:hidden">
      <legend className="sr-only">Show</legend>
      {views.map(({ show, label, count }) => (
        <button
          key={label}
          type="button"
          aria-pressed={search.show === show}
          onClick={() => onChange({ show, page: undefined })}
          className={cn(
            'flex min-h-11 items-center gap-2 rounded-full border border-line bg-raised px-4 text-sm whitespace-nowrap hover:border-line-strong',
            search.show === show && 'border-accent-fill bg-accent-fill/12 font-semibold',
          )}
        >
          {label}
          <span
            className={cn(
              'min-w-2 font-semibold tabular-nums',
              show === undefined && count !== undefined && count > 0 && 'text-warning',
            )}
          >
            {count !== undefined && formatCount(count)}
          </span>
        </button>
      ))}
    </fieldset>
  );
}

type TimesheetListProps = {
  search: TimesheetSearch;
  onChange: ChangeSearch<TimesheetSearch>;
  attendance: RenderAttendance;
};

export function TimesheetList({ search, onChange, attendance }: TimesheetListProps) {
  const { user, isAdmin, isOpsManager, isSupervisor, isHr } = useAuth();
  const [opened, setOpened] = useState<string>();
  const mayDecide = isAdmin || isOpsManager || isSupervisor || isHr;
  const counting = useSheetCounts(search);
  const { data: counts } = counting;
  const list = timesheetList.useScreen(search, onChange);
  const { start, end } = shownPeriod(search);
  const period = formatPayPeriod(start, end);
  const rows = list.query.data?.rows;
  const isAll = search.show === 'all';
  const withIssues = useMemo(
    () =>
      (isAll ? [] : (rows ?? []).filter(({ open_issues }) => open_issues > 0)).map(({ id }) => id),
    [rows, isAll],
  );
  const { data: issues } = useIssues(withIssues);
  const ready = mayDecide ? (counts?.ready ?? []) : [];
  const screen = {
    ...list,
    title: 'Timesheets',
    searchLabel: 'Search people',
    summary: (
      <div className="mb-5 grid gap-4 compact:mb-3">
        <PeriodChooser search={search} onChange={onChange} />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Views
            search={search}
            toDecide={counts?.with_issues}
            everyone={counts && counts.with_issues + counts.without_issues}
            onChange={onChange}
          />
          {ready.length > 0 && <ApproveAll ids={ready} period={period} />}
          {/* Its place while the count loads. On a desk it is beside the views. */}
          {mayDecide && !isKnown(counting) && (
            <div aria-hidden="true" className="h-11 w-full sm:hidden" />
          )}
        </div>
        {mayDecide && !isAll && (
          <>
            <EqualCases filters={search} />
            <p className="text-sm text-muted max-lg:hidden print:hidden">
              In a list of cases: A accepts or pays, D doesn’t pay, arrows go on, N goes to the next
              person.
            </p>
          </>
        )}
      </div>
    ),
    empty: isAll ? `No hours in ${period}.` : `Nothing to decide in ${period}.`,
  };
  const dialogs: ReactNode = opened && attendance(opened, () => setOpened(undefined));
  if (isAll) {
    return (
      <ListScreen
        {...screen}
        filters={[SITE, STATUS, ISSUE]}
        dense
        room={50}
        bulk={mayDecide ? actionsOf(user?.id) : undefined}
        Table={TableRows}
        columns={sheetColumns}
      >
        {dialogs}
      </ListScreen>
    );
  }
  return (
    <ListScreen
      {...screen}
      filters={[SITE, ISSUE]}
      card={(row) => (
        <PersonCard
          row={row}
          issues={issues?.get(row.id)}
          isDecidable={mayDecide && row.user_id !== user?.id}
          onAttendance={setOpened}
        />
      )}
    >
      {dialogs}
    </ListScreen>
  );
}
