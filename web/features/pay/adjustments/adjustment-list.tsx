import { useMemo, useState } from 'react';
import { PAY_ADJUSTMENTS_KIND, PAY_ADJUSTMENTS_STATUS } from '#shared/database.values.ts';
import { formatMoney, parseCents } from '#shared/money.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatPayPeriod } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { ADJUSTMENT_KIND_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { adjustmentActions } from './adjustment-actions.ts';
import { AdjustmentDialog } from './adjustment-dialog.tsx';
import { adjustmentList, findPerson } from './api.ts';
import { ItemRulesDialog } from './item-rules-dialog.tsx';
import { ItemsDue } from './items-due.tsx';
import { ManualDialog } from './manual-dialog.tsx';
import { type Adjustment, findStatus } from './schema.ts';
import type { AdjustmentSearch } from './search.ts';

const figure = (amount: number | null, { currency }: Adjustment) =>
  amount === null ? '-' : formatMoney(amount, currency ?? 'USD');

const columns: Column<Adjustment>[] = [
  {
    header: 'Staff Name',
    card: 'title',
    className: 'font-semibold whitespace-nowrap',
    cell: findPerson,
  },
  {
    header: 'Kind',
    cell: ({ kind, explanation }) => (
      <>
        {ADJUSTMENT_KIND_LABELS[kind]}
        <SecondLine wraps className="lg:w-0 lg:min-w-full lg:truncate">
          {explanation}
        </SecondLine>
      </>
    ),
  },
  {
    header: 'Period',
    className: 'whitespace-nowrap',
    cell: (row) => formatPayPeriod(row.period_start, row.period_end),
  },
  { header: 'Paid', className: AMOUNT, cell: (row) => figure(row.figure_before, row) },
  { header: 'Recomputed', className: AMOUNT, cell: (row) => figure(row.figure_after, row) },
  {
    header: 'Amount',
    className: `${AMOUNT} font-semibold`,
    cell: (row) => (
      <>
        {row.amount !== null && parseCents(row.amount) > 0n && '+'}
        {figure(row.amount, row)}
      </>
    ),
  },
  { header: 'Status', card: 'aside', cell: (row) => <StatusBadge status={findStatus(row)} /> },
];

const FILTERS = [
  choice('status', 'Status', 'All statuses', toOptions(PAY_ADJUSTMENTS_STATUS, STATUS_LABELS)),
  choice('kind', 'Kind', 'All kinds', toOptions(PAY_ADJUSTMENTS_KIND, ADJUSTMENT_KIND_LABELS)),
];

type AdjustmentListProps = {
  search: AdjustmentSearch;
  onChange: ChangeSearch<AdjustmentSearch>;
};

/** Amounts that were paid too little or too much; undecided ones first. */
export function AdjustmentList({ search, onChange }: AdjustmentListProps) {
  const { user } = useAuth();
  const [hasRules, setHasRules] = useState(false);
  const bulk = useMemo(() => adjustmentActions(user?.id), [user?.id]);
  return (
    <ListScreen
      {...adjustmentList.useScreen(search, onChange)}
      title="Adjustments"
      subtitle="What closed periods paid too little or too much. The next pay run pays what is approved."
      addLabel="Add Adjustment"
      buttons={
        <Button variant="secondary" onClick={() => setHasRules(true)}>
          Pay Item Rules
        </Button>
      }
      summary={<ItemsDue />}
      filters={FILTERS}
      noMatch="No adjustments match"
      Table={TableRows}
      columns={columns}
      bulk={bulk}
      opens
      dialog={({ open, onClose }) =>
        open === 'new' ? (
          <ManualDialog onClose={onClose} />
        ) : (
          <AdjustmentDialog id={open} onClose={onClose} />
        )
      }
    >
      {hasRules && <ItemRulesDialog onClose={() => setHasRules(false)} />}
    </ListScreen>
  );
}
