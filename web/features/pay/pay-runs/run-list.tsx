import { Link, useNavigate } from '@tanstack/react-router';
import { formatCount } from '#shared/count.ts';
import { PAY_RUNS_STATUS, STAFF_PAYMENT_FREQUENCY } from '#shared/database.values.ts';
import {
  AMOUNT,
  type Column,
  moneyColumn,
  PAGE_LINK,
  TOTAL,
} from '#web/components/list/columns.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { PAY_FREQUENCY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { findFrequency, payRunList } from './api.ts';
import { NewRunDialog } from './new-run-dialog.tsx';
import type { PayRun } from './schema.ts';
import type { PayRunSearch } from './search.ts';

const columns: Column<PayRun>[] = [
  {
    header: 'Period',
    card: 'title',
    className: 'font-semibold whitespace-nowrap',
    cell: (run) => (
      <Link to="/admin/payruns/$id" params={{ id: run.id }} className={PAGE_LINK}>
        {formatPayPeriod(run.period_start, run.period_end)}
      </Link>
    ),
  },
  { header: 'Pay Group', cell: (run) => PAY_FREQUENCY_LABELS[findFrequency(run)] },
  { header: 'Currency', cell: (run) => run.currency },
  { header: 'People', className: AMOUNT, cell: (run) => formatCount(run.people) },
  moneyColumn('Gross', (run) => run.gross),
  moneyColumn('Deductions', (run) => run.deductions),
  moneyColumn('Net', (run) => run.net, { className: TOTAL }),
  { header: 'Status', card: 'aside', cell: (run) => <StatusBadge status={run.status} /> },
];

const FILTERS = [
  choice('status', 'Status', 'All statuses', toOptions(PAY_RUNS_STATUS, STATUS_LABELS)),
  choice(
    'group',
    'Pay group',
    'All pay groups',
    toOptions(STAFF_PAYMENT_FREQUENCY, PAY_FREQUENCY_LABELS),
  ),
];

type RunListProps = { search: PayRunSearch; onChange: ChangeSearch<PayRunSearch> };

export function RunList({ search, onChange }: RunListProps) {
  const navigate = useNavigate();
  return (
    <ListScreen
      {...payRunList.useScreen(search, onChange)}
      title="Pay Runs"
      subtitle="From approved hours to payslips that are locked and paid."
      addLabel="New Pay Run"
      filters={FILTERS}
      noMatch="No pay runs match"
      Table={TableRows}
      columns={columns}
      dialog={({ onClose }) => (
        <NewRunDialog
          onAdded={(id) => void navigate({ to: '/admin/payruns/$id', params: { id } })}
          onClose={onClose}
        />
      )}
    />
  );
}
