import { Paperclip } from 'lucide-react';
import { useState } from 'react';
import { formatDollars } from '#shared/money.ts';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { useUndoableDelete } from '#web/components/form/undo-delete.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { Fact, Facts, RecordCard } from '#web/components/list/record-card.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import type { ChangeSearch, GrowingSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { EXPENSE_CATEGORY_LABELS, REPORT_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { expenses, exportExpenses } from './api.ts';
import { ExpenseFields } from './expense-form.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';
import type { Expense } from './schema.ts';
import { TotalsChart } from './totals-chart.tsx';

type ExpenseCardProps = {
  expense: Expense;
  onEdit: () => void;
  onDelete: () => void;
  onReceipt: () => void;
  isDeleting: boolean;
};

function ExpenseCard({ expense, onReceipt, ...actions }: ExpenseCardProps) {
  const { title, amount, category, expense_date, report_type, notes } = expense;
  return (
    <RecordCard
      title={title}
      subtitle={formatDay(expense_date)}
      badge={
        <Badge tone={report_type === 'monthly' ? 'blue' : 'grey'}>
          {REPORT_TYPE_LABELS[report_type]}
        </Badge>
      }
      notes={notes}
      label={`expense ${title}`}
      actions={
        <Button
          variant="ghost"
          className="px-3.5"
          onClick={onReceipt}
          aria-label={`${expense.receipt_path ? 'Receipt of' : 'Attach a receipt to'} ${title}`}
        >
          <Paperclip aria-hidden="true" className="size-4" />
          {expense.receipt_path ? 'Receipt' : 'Attach'}
        </Button>
      }
      {...actions}
    >
      <Facts>
        <Fact name="Category">{EXPENSE_CATEGORY_LABELS[category]}</Fact>
        <Fact name="Amount" amount strong>
          {formatDollars(amount)}
        </Fact>
      </Facts>
    </RecordCard>
  );
}

type ExpenseListProps = { search: GrowingSearch; onChange: ChangeSearch<GrowingSearch> };

export function ExpenseList({ search, onChange }: ExpenseListProps) {
  const query = expenses.useFirst(search.shown ?? CARDS_STEP);
  const [receiptOf, setReceiptOf] = useState<Expense>();
  const { remove, deletingId } = useUndoableDelete(expenses);
  return (
    <ListScreen
      title="Expense Reports"
      noun="expenses"
      search={search}
      onChange={onChange}
      query={query}
      exportRecords={exportExpenses}
      addLabel="Add Expense"
      summary={<TotalsChart />}
      empty="No expenses yet. Add the first one above."
      moreLabel="Show older expenses"
      card={(expense) => (
        <ExpenseCard
          expense={expense}
          onReceipt={() => setReceiptOf(expense)}
          onEdit={() => onChange({ open: expense.id })}
          onDelete={() => remove(expense.id)}
          isDeleting={deletingId === expense.id}
        />
      )}
      dialog={(opened) => (
        <RecordDialog {...opened} records={expenses} invalid="Validation Error">
          {(form) => <ExpenseFields {...form} />}
        </RecordDialog>
      )}
    >
      {receiptOf && <ReceiptDialog expense={receiptOf} onClose={() => setReceiptOf(undefined)} />}
    </ListScreen>
  );
}
