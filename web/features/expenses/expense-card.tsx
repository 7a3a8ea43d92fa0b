import { Paperclip } from 'lucide-react';
import { formatDollars } from '#shared/money.ts';
import { Fact, Facts } from '#web/components/records/facts.tsx';
import { RecordCard } from '#web/components/records/record-card.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { EXPENSE_CATEGORY_LABELS, REPORT_TYPE_LABELS } from '#web/lib/vocabulary/kinds.ts';
import type { Expense } from './schema.ts';

type ExpenseCardProps = {
  expense: Expense;
  onEdit: () => void;
  onDelete: () => void;
  onReceipt: () => void;
  isDeleting: boolean;
};

export function ExpenseCard({ expense, onReceipt, ...actions }: ExpenseCardProps) {
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
