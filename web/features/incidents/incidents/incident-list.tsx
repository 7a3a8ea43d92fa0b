import { Link } from '@tanstack/react-router';
import { ArrowUpRight, Check, Eye, Paperclip, Timer } from 'lucide-react';
import { useMemo } from 'react';
import { INCIDENTS_SEVERITY } from '#shared/database.values.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { choice, type Filter, searchedChoice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { MomentLines } from '#web/components/text/date-text.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { SiteLink } from '#web/components/ui/place-links.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatDateTime, formatDayShort, toDay } from '#web/lib/format/dates.ts';
import { formatShortName } from '#web/lib/format/person-name.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type Option, toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { incidentList, useUpdateStatus } from './api.ts';
import { EnterReportDialog } from './enter-report-dialog.tsx';
import { incidentActions } from './incident-actions.ts';
import { IncidentDialog } from './incident-dialog.tsx';
import { useOwners } from './office-api.ts';
import { QueueChips } from './queue-chips.tsx';
import { findName, type Incident, type IncidentRow, isOverdue } from './schema.ts';
import { type IncidentSearch, STATUS_FILTER_LABELS, STATUS_FILTERS } from './search.ts';

const STEPS: Partial<
  Record<Incident['status'], { label: string; to: Incident['status']; Icon: typeof Check }>
> = {
  open: { label: 'Escalate', to: 'investigating', Icon: ArrowUpRight },
  investigating: { label: 'Resolve', to: 'resolved', Icon: Check },
};

type IncidentActionsProps = { incident: IncidentRow; onView: () => void };

function IncidentActions({ incident, onView }: IncidentActionsProps) {
  const { mutateAsync, isPending } = useUpdateStatus();
  const step = STEPS[incident.status];

  function take(to: Incident['status']) {
    mutateAsync({ incident, change: { status: to, note: '' } })
      .then(() => showSuccess('Status Updated'))
      .catch((error: unknown) => showError('Error', describeError(error)));
  }
  return (
    <div className="relative flex justify-end">
      {step && (
        <Button
          variant="ghost"
          className="px-2 text-sm"
          busy={isPending}
          title={step.label}
          aria-label={`${step.label} ${incident.title}`}
          onClick={() => take(step.to)}
        >
          {!isPending && <step.Icon aria-hidden="true" className="size-4" />}
          <span className="compact:lg:sr-only">{step.label}</span>
        </Button>
      )}
      <Button
        variant="ghost"
        className="px-2 text-sm"
        title="View"
        aria-label={`View ${incident.title}`}
        onClick={onView}
      >
        <Eye aria-hidden="true" className="size-4" />
        <span className="compact:lg:sr-only">View</span>
      </Button>
    </div>
  );
}

function EvidenceCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className="ml-2 inline-flex items-center gap-1 align-middle text-sm font-normal text-muted">
      <Paperclip aria-hidden="true" className="size-3.5" />
      {count}
      <span className="sr-only">{count === 1 ? ' piece of evidence' : ' pieces of evidence'}</span>
    </span>
  );
}

/** Whether a deadline has passed, and the review, until it is done. */
function NextStep({ incident }: { incident: IncidentRow }) {
  const { status, review_state, next_deadline } = incident;
  const isLate = next_deadline !== null && Date.parse(next_deadline) < Date.now();
  const isOpen = review_state !== 'reviewed' && status !== 'closed';
  if (!isLate && !isOpen) return null;
  return (
    <SecondLine className="whitespace-nowrap">
      {isLate && <span className="font-semibold text-danger">Late</span>}
      {isOpen && isLate && ' · '}
      {isOpen && STATUS_LABELS[review_state]}
    </SecondLine>
  );
}

const incidentColumns = (onView: (row: IncidentRow) => void): Column<IncidentRow>[] => [
  {
    header: 'Title',
    card: 'title',
    className: 'min-w-32 compact:max-w-40 compact:min-w-0',
    sort: 'title',
    cell: (row) => (
      <span className="[overflow-wrap:anywhere]">
        {row.title}
        <EvidenceCount count={row.evidence.length} />
        <SecondLine>{INCIDENT_CATEGORY_LABELS[row.category]}</SecondLine>
      </span>
    ),
  },
  {
    header: 'Site',
    className: 'w-[18%] compact:w-auto compact:max-w-32',
    sort: 'site',
    cell: (row) => <SiteLink id={row.site_id} name={row.sites.name} />,
  },
  {
    header: 'Severity',
    card: 'aside',
    sort: 'severity',
    cell: (row) => <StatusBadge status={row.severity} />,
  },
  {
    header: 'Status',
    className: 'compact:max-w-40',
    sort: 'status',
    cell: (row) => (
      <>
        <StatusBadge status={row.status} />
        <NextStep incident={row} />
      </>
    ),
  },
  {
    header: 'Owner',
    className: 'min-w-20 compact:max-w-40',
    sort: 'due',
    cell: (row) => (
      <>
        {row.owner ? (
          <span title={findName(row.owner)}>{formatShortName(row.owner)}</span>
        ) : (
          <span className="text-muted">-</span>
        )}
        {row.due_at && (
          <SecondLine className={isOverdue(row) ? 'font-semibold text-danger' : ''}>
            <time
              dateTime={row.due_at}
              title={formatDateTime(row.due_at)}
              className="whitespace-nowrap tabular-nums"
            >
              {isOverdue(row) ? 'Overdue ' : 'Due '}
              {formatDayShort(toDay(row.due_at))}
            </time>
          </SecondLine>
        )}
      </>
    ),
  },
  {
    header: 'Reported',
    className: 'min-w-24 compact:whitespace-nowrap',
    sort: 'reported',
    cell: (row) => (
      <>
        <MomentLines at={row.created_at} />
        {row.happened_at && (
          <SecondLine wraps className="compact:hidden">
            Happened <time dateTime={row.happened_at}>{formatDateTime(row.happened_at)}</time>
          </SecondLine>
        )}
        {row.written_at && (
          <SecondLine wraps className="compact:hidden">
            Written <time dateTime={row.written_at}>{formatDateTime(row.written_at)}</time>
          </SecondLine>
        )}
      </>
    ),
  },
  {
    header: 'Actions',
    card: 'actions',
    className: 'w-px text-right',
    cell: (row) => <IncidentActions incident={row} onView={() => onView(row)} />,
  },
];

const FILTERS: Filter<keyof IncidentSearch>[] = [
  choice('status', 'Status', 'All statuses', toOptions(STATUS_FILTERS, STATUS_FILTER_LABELS)),
  choice(
    'severity',
    'Severity',
    'All severities',
    toOptions(INCIDENTS_SEVERITY, STATUS_LABELS).reverse(),
  ),
  { kind: 'site', key: 'site' },
  { kind: 'elsewhere', key: 'queue' },
];
const LAST_FILTERS: Filter<keyof IncidentSearch>[] = [
  choice('due', 'Due', 'Any due time', [['overdue', 'Overdue']]),
  { kind: 'day', key: 'from', label: 'From', clearLabel: 'From any day' },
  { kind: 'day', key: 'to', label: 'To', clearLabel: 'To any day' },
];

type IncidentListProps = { search: IncidentSearch; onChange: ChangeSearch<IncidentSearch> };

export function IncidentList({ search, onChange }: IncidentListProps) {
  const columns = useMemo(() => incidentColumns(({ id }) => onChange({ open: id })), [onChange]);
  const { data: owners = [] } = useOwners();
  const choices: Option[] = [
    ['me', 'Mine'],
    ['none', 'Without an owner'],
    ...owners.map(({ id, label }) => [id, label] as const),
  ];
  const { user } = useAuth();
  const owner = searchedChoice('owner', 'Owner', 'All owners', choices);
  return (
    <ListScreen
      {...incidentList.useScreen(search, onChange)}
      title="Incident Management"
      buttons={
        <Link to="/admin/incidents/goals" className={buttonStyles({ variant: 'secondary' })}>
          <Timer aria-hidden="true" className="size-4.5" />
          Goals
        </Link>
      }
      addLabel="Enter Report"
      summary={
        <QueueChips
          chosen={search.queue}
          onChoose={(queue) => onChange({ queue, page: undefined })}
        />
      }
      filters={[...FILTERS, owner, ...LAST_FILTERS]}
      dense
      room={57}
      bulk={incidentActions(owners, user?.id)}
      Table={TableRows}
      columns={columns}
      opens
      dialog={({ open, onClose }) =>
        open === 'new' ? (
          <EnterReportDialog onClose={onClose} />
        ) : (
          <IncidentDialog key={open} id={open} onClose={onClose} />
        )
      }
    />
  );
}
