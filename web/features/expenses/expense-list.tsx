import { Plus } from 'lucide-react';
import { useState } from 'react';
import { EntryDialog } from '#web/components/records/entry-dialog.tsx';
import { ExportButton } from '#web/components/records/export-button.tsx';
import { RecordList } from '#web/components/records/record-list.tsx';
import { ScreenHeading } from '#web/components/records/screen-heading.tsx';
import { latestOf, useBoard } from '#web/components/records/use-board.ts';
import { useUndoableDelete } from '#web/components/records/use-undoable-delete.ts';
import { Button } from '#web/components/ui/button.tsx';
import { expenses, exportExpenses } from './api.ts';
import { ExpenseCard } from './expense-card.tsx';
import { ExpenseFields } from './expense-form.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';
import { type Expense, emptyForm, expenseSchema, formOf } from './schema.ts';
import { TotalsChart } from './totals-chart.tsx';

export function ExpenseList() {
  const board = useBoard<Expense>();
  const query = expenses.useFirst(board.limit);
  const [receiptOf, setReceiptOf] = useState<Expense>();
  const save = expenses.useSave();
  const remove = expenses.useDelete();
  const removeUndoably = useUndoableDelete({
    remove,
    restore: expenses.useRestore(),
    deleted: 'Expense deleted successfully',
    restored: 'Expense restored',
  });
  const changed = board.entry === 'new' ? undefined : board.entry;
  return (
    <>
      <ScreenHeading title="Expense Reports">
        <ExportButton exportRecords={exportExpenses} />
        <Button onClick={() => board.open('new')}>
          <Plus aria-hidden="true" className="size-4.5" />
          Add Expense
        </Button>
      </ScreenHeading>
      <TotalsChart />
      <RecordList
        query={query}
        loadingText="Loading expenses..."
        emptyText="No expenses yet. Add the first one above."
        moreLabel="Show older expenses"
        onMore={board.showMore}
        renderCard={(expense) => (
          <ExpenseCard
            expense={expense}
            onReceipt={() => setReceiptOf(expense)}
            onEdit={() => board.open(expense)}
            onDelete={() => removeUndoably(expense.id)}
            isDeleting={remove.isPending && remove.variables === expense.id}
          />
        )}
      />
      {receiptOf && <ReceiptDialog expense={receiptOf} onClose={() => setReceiptOf(undefined)} />}
      {board.entry && (
        <EntryDialog
          title={changed ? 'Edit Expense' : 'Add Expense'}
          schema={expenseSchema}
          defaultValues={changed ? formOf(changed) : emptyForm()}
          latest={changed && formOf(latestOf(changed, query.data?.rows))}
          submitLabel={changed ? 'Save Changes' : 'Add Expense'}
          invalid="Validation Error"
          save={(form) => save.mutateAsync({ id: changed?.id, form })}
          success={`Expense ${changed ? 'updated' : 'created'} successfully`}
          onClose={board.close}
        >
          {(form) => <ExpenseFields {...form} />}
        </EntryDialog>
      )}
    </>
  );
}
