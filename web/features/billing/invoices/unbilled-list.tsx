import { Link } from '@tanstack/react-router';
import { CircleSlash2, Undo2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { choice, type Filter, searchedChoice } from '#web/components/list/filters.tsx';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useClientOptions } from '#web/lib/data/lookups.ts';
import { formatPeriod, toDay, today } from '#web/lib/format/dates.ts';
import { formatHours } from '#web/lib/format/hours.ts';
import { findPeriod } from '#web/lib/format/pay-periods.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { DraftDialog } from './draft-dialog.tsx';
import type { DraftForm } from './schema.ts';
import { UNBILLED_STATES, type UnbilledSearch } from './search.ts';
import {
  billAgain,
  STATE_LABELS,
  shownDays,
  type Unbilled,
  unbilledList,
  useUnbilledTotals,
  waive,
} from './unbilled-api.ts';

const LINK = buttonStyles({ variant: 'link', className: 'relative -mx-1 justify-start' });

function Remedy({ row, onDraft }: { row: Unbilled; onDraft: (row: Unbilled) => void }) {
  switch (row.reason) {
    case 'not_approved':
      return (
        <Link
          to="/admin/timesheets"
          search={{ q: row.full_name, day: toDay(row.first_at), show: 'all' }}
          className={LINK}
        >
          Open timesheet
        </Link>
      );
    case 'no_contract':
      return row.client_name === null ? (
        'The site has no client'
      ) : (
        <Link to="/admin/contracts" search={{ q: row.client_name, show: 'all' }} className={LINK}>
          Open contracts
        </Link>
      );
    case 'no_rate':
      return (
        row.contract_id !== null && (
          <Link to="/admin/contracts/$id" params={{ id: row.contract_id }} className={LINK}>
            Open contract
          </Link>
        )
      );
    case 'not_due':
      return 'Its billing cycle decides: see Draft Invoices';
    case 'above_headcount':
      return 'Another guard is billed for these minutes';
    case 'waived':
      return row.note;
    default:
      return (
        <Button variant="link" className="relative -mx-1" onClick={() => onDraft(row)}>
          Draft invoice
        </Button>
      );
  }
}

const columnsFor = (onDraft: (row: Unbilled) => void): Column<Unbilled>[] => [
  {
    header: 'Client',
    card: 'title',
    sort: 'client',
    className: 'font-semibold',
    cell: (row) => (
      <>
        {row.client_name ?? 'No client'}
        <SecondLine>{row.site_name}</SecondLine>
      </>
    ),
  },
  { header: 'Guard', sort: 'guard', cell: (row) => row.full_name },
  {
    header: 'Worked',
    sort: 'first',
    className: 'whitespace-nowrap',
    cell: (row) => formatPeriod(toDay(row.first_at), toDay(row.last_at)),
  },
  {
    header: 'Hours',
    card: 'aside',
    sort: 'hours',
    className: `${AMOUNT} font-semibold`,
    cell: (row) => formatHours(row.minutes),
  },
  { header: 'Reason', className: 'min-w-30', cell: (row) => STATE_LABELS[row.reason] },
  {
    header: 'To settle it',
    card: 'text',
    cell: (row) => <Remedy row={row} onDraft={onDraft} />,
  },
];

const sitesOf = (rows: Unbilled[]) => new Set(rows.map(({ site_id }) => site_id)).size;
const minutesOf = (rows: { minutes: number }[]) => rows.reduce((sum, row) => sum + row.minutes, 0);

const actions: BulkActions<Unbilled> = {
  noun: ['entry', 'entries'],
  nameOf: ({ full_name, site_name }) => `${full_name}, ${site_name}`,
  actions: [
    {
      label: 'Waive...',
      icon: CircleSlash2,
      isDanger: true,
      appliesTo: ({ reason, attendance_ids }) =>
        reason !== 'waived' && reason !== 'above_headcount' && attendance_ids.length > 0,
      leftOut: 'not to be billed anyway',
      fields: [{ kind: 'text', name: 'reason', label: 'Reason', most: 500 }],
      consequence: (rows) =>
        `${formatHours(minutesOf(rows))} at ${sitesOf(rows) === 1 ? '1 site' : `${sitesOf(rows)} sites`} will not be billed, and leave this list. The guards are paid all the same.`,
      run: (rows, { reason = '' }) => waive(rows, reason),
      done: 'waived',
    },
    {
      label: 'Bill again',
      icon: Undo2,
      appliesTo: ({ reason }) => reason === 'waived',
      leftOut: 'not waived',
      run: billAgain,
      done: 'can be billed again',
    },
  ],
};

type SumsProps = Pick<UnbilledListProps, 'search' | 'onChange'>;

function Sums({ search, onChange }: SumsProps) {
  const { data = [] } = useUnbilledTotals(search);
  const sums = UNBILLED_STATES.map((state) => ({
    state,
    rows: data.filter(({ reason }) => reason === state),
  })).filter(({ rows }) => rows.length > 0);
  if (sums.length === 0) return null;
  return (
    <section aria-label="Sums by reason" className="mb-7">
      <ul className="flex flex-wrap gap-3 [&>*]:flex-1 [&>*]:basis-40">
        {sums.map(({ state, rows }) => (
          <li key={state}>
            <Card className="h-full has-[[aria-pressed=true]]:bg-chosen has-[[aria-pressed=true]]:outline-2 has-[[aria-pressed=true]]:outline-accent-fill">
              <button
                type="button"
                aria-pressed={search.state === state}
                className="block h-full w-full px-5 py-4 text-left"
                onClick={() =>
                  onChange({ state: search.state === state ? undefined : state, page: undefined })
                }
              >
                <span className="block text-sm text-muted">{STATE_LABELS[state]}</span>{' '}
                <span className="mt-1 block text-2xl leading-tight font-semibold tabular-nums">
                  {formatHours(minutesOf(rows))}
                </span>
              </button>
            </Card>
          </li>
        ))}
      </ul>
    </section>
  );
}

type UnbilledListProps = { search: UnbilledSearch; onChange: ChangeSearch<UnbilledSearch> };

/** Worked hours that are neither billed nor waived, and those that were waived. */
export function UnbilledList({ search, onChange }: UnbilledListProps) {
  const { data: clients = [] } = useClientOptions();
  const [drafting, setDrafting] = useState<DraftForm>();
  const { from, to } = shownDays(search);
  const filters: Filter[] = [
    { kind: 'day', key: 'from', label: 'From', value: from },
    { kind: 'day', key: 'to', label: 'To', value: to },
    searchedChoice(
      'client',
      'Client',
      'All clients',
      clients.map(({ id, name }) => [id, name]),
    ),
    choice('state', 'Reason', 'All reasons', toOptions(UNBILLED_STATES, STATE_LABELS)),
  ];
  const columns = useMemo(
    () =>
      columnsFor((row) =>
        setDrafting({
          what: 'days',
          on: today(),
          contract: row.contract_id ?? '',
          from: findPeriod('monthly', toDay(row.first_at)).start,
          to: findPeriod('monthly', toDay(row.last_at)).end,
          client: row.client_id ?? '',
        }),
      ),
    [],
  );
  return (
    <ListScreen
      {...unbilledList.useScreen(search, onChange)}
      title="Unbilled Hours"
      subtitle="Worked, due, and neither on an invoice nor waived. Nothing is forgotten while this list is empty."
      filters={filters}
      noMatch="Nothing unbilled in these days. Change them or the filters."
      summary={<Sums search={search} onChange={onChange} />}
      summaryLabel="Sums by reason"
      bulk={actions}
      Table={TableRows}
      columns={columns}
      room={56}
    >
      {drafting && <DraftDialog period={drafting} onClose={() => setDrafting(undefined)} />}
    </ListScreen>
  );
}
