// One expense: what for, how much, when.
import { formatDollars } from '#shared/money.ts';
import { Fact, Facts } from '#web/components/records/facts.tsx';
import { RecordCard } from '#web/components/records/record-card.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { formatDay } from '#web/lib/format.ts';
import { CATEGORY_LABELS, TYPE_LABELS } from '../labels.ts';
import type { Expense } from '../schema.ts';

type ExpenseCardProps = {
  expense: Expense;
  onEdit: () => void;
  onDelete: () => void;
  isDeleting: boolean;
};

export function ExpenseCard({ expense, ...actions }: ExpenseCardProps) {
  const { title, amount, category, expense_date, report_type, notes } = expense;
  return (
    <RecordCard
      title={title}
      subtitle={formatDay(expense_date)}
      badge={
        <Badge tone={report_type === 'monthly' ? 'blue' : 'grey'}>{TYPE_LABELS[report_type]}</Badge>
      }
      notes={notes}
      label={`expense ${title}`}
      {...actions}
    >
      <Facts>
        <Fact name="Category">{CATEGORY_LABELS[category]}</Fact>
        <Fact name="Amount" amount strong>
          {formatDollars(amount)}
        </Fact>
      </Facts>
    </RecordCard>
  );
}
