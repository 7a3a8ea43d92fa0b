import { useCallback } from 'react';
import { formatMoney } from '#shared/money.ts';
import { DocumentButton } from '#web/components/documents/document-dialog.tsx';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { useUndoableDelete } from '#web/components/form/undo-delete.ts';
import type { Column } from '#web/components/list/columns.tsx';
import { deleteAction } from '#web/components/list/delete-action.ts';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { DayText } from '#web/components/text/date-text.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch, RecordsSearch } from '#web/lib/data/list-search.ts';
import { EXPENSE_CATEGORY_LABELS, REPORT_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { documentOf, expenseList, expenses } from './api.ts';
import { ExpenseFields } from './expense-form.tsx';
import type { Expense } from './schema.ts';
import { TotalsChart } from './totals-chart.tsx';

const expenseColumns: Column<Expense>[] = [
  { header: 'Date', sort: 'date', cell: (row) => <DayText day={row.expense_date} /> },
  {
    header: 'Title',
    card: 'title',
    className: 'min-w-32 font-semibold',
    sort: 'title',
    cell: (row) => (
      <>
        {row.title}
        <SecondLine>{[row.supplier, row.sites?.name].filter(Boolean).join(', ')}</SecondLine>
        <SecondLine narrow compact="hidden">
          {row.notes}
        </SecondLine>
      </>
    ),
  },
  { header: 'Category', cell: (row) => EXPENSE_CATEGORY_LABELS[row.category] },
  {
    header: 'Report Type',
    card: 'aside',
    cell: (row) => (
      <Badge tone={row.report_type === 'monthly' ? 'blue' : 'grey'}>
        {REPORT_TYPE_LABELS[row.report_type]}
      </Badge>
    ),
  },
  {
    header: 'Amount',
    className: 'text-right font-semibold tabular-nums whitespace-nowrap',
    sort: 'amount',
    cell: (row) => formatMoney(row.amount, row.currency),
  },
];

const nameOf = (row: Expense) => `expense ${row.title}`;

const more = (row: Expense) => (
  <DocumentButton record={documentOf(row)} noun="Receipt" name={row.title} />
);

const BULK: BulkActions<Expense> = {
  noun: ['expense', 'expenses'],
  nameOf,
  actions: [deleteAction('expense_reports', () => 'The expenses leave the totals.')],
};

type ExpenseListProps = { search: RecordsSearch; onChange: ChangeSearch<RecordsSearch> };

export function ExpenseList({ search, onChange }: ExpenseListProps) {
  const { remove } = useUndoableDelete(expenses);
  const onDelete = useCallback(({ id }: Expense) => remove(id), [remove]);
  return (
    <ListScreen
      {...expenseList.useScreen(search, onChange)}
      title="Expense Reports"
      addLabel="Add Expense"
      summary={<TotalsChart />}
      summaryLabel="Expenses by month"
      room={52}
      isUsuallyCards
      Table={TableRows}
      columns={expenseColumns}
      actions={{ nameOf, onDelete, more }}
      bulk={BULK}
      dialog={(opened) => (
        <RecordDialog {...opened} records={expenses} invalid="Validation Error">
          {(form) => <ExpenseFields form={form} />}
        </RecordDialog>
      )}
    />
  );
}
