// One statement: its period, and what came in, went out and is left.
import { formatDollars } from '#shared/money.ts';
import { Fact, Facts } from '#web/components/records/facts.tsx';
import { RecordCard } from '#web/components/records/record-card.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import type { Statement } from '../schema.ts';

type StatementCardProps = {
  statement: Statement;
  onEdit: () => void;
  onDelete: () => void;
  isDeleting: boolean;
};

const dollars = (amount: number | null) => (amount === null ? '-' : formatDollars(amount));

export function StatementCard({ statement, ...actions }: StatementCardProps) {
  const { title, period_start, period_end, total_revenue, total_expenses, net_profit } = statement;
  return (
    <RecordCard
      title={title}
      subtitle={formatPeriod(period_start, period_end)}
      notes={statement.notes}
      label={`statement ${title}`}
      {...actions}
    >
      <Facts>
        <Fact name="Revenue" amount>
          {dollars(total_revenue)}
        </Fact>
        <Fact name="Expenses" amount>
          {dollars(total_expenses)}
        </Fact>
        <Fact name="Net Profit" amount strong>
          <span
            className={cn(net_profit !== null && (net_profit < 0 ? 'text-danger' : 'text-success'))}
          >
            {dollars(net_profit)}
          </span>
        </Fact>
      </Facts>
    </RecordCard>
  );
}
