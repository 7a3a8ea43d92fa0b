import { formatDollars } from '#shared/money.ts';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { useUndoableDelete } from '#web/components/form/undo-delete.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { Fact, Facts, RecordCard } from '#web/components/list/record-card.tsx';
import { SampleImport } from '#web/components/list/sample-import.tsx';
import { cn } from '#web/lib/cn.ts';
import type { ChangeSearch, GrowingSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { formatPeriod } from '#web/lib/format/dates.ts';
import { exportStatements, statementSamples, statements } from './api.ts';
import { ProfitsChart } from './profits-chart.tsx';
import type { Statement } from './schema.ts';
import { StatementFields } from './statement-form.tsx';

type StatementCardProps = {
  statement: Statement;
  onEdit: () => void;
  onDelete: () => void;
  isDeleting: boolean;
};

const dollars = (amount: number | null) => (amount === null ? '-' : formatDollars(amount));

function StatementCard({ statement, ...actions }: StatementCardProps) {
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

type StatementListProps = { search: GrowingSearch; onChange: ChangeSearch<GrowingSearch> };

export function StatementList({ search, onChange }: StatementListProps) {
  const query = statements.useFirst(search.shown ?? CARDS_STEP);
  const { remove, deletingId } = useUndoableDelete(statements);
  return (
    <ListScreen
      title="Financial Statements"
      noun="financial statements"
      search={search}
      onChange={onChange}
      query={query}
      exportRecords={exportStatements}
      buttons={
        <SampleImport label="Import Sample" samples={statementSamples} total={query.data?.total} />
      }
      addLabel="Add Statement"
      summary={<ProfitsChart />}
      summaryLabel="Revenue, expenses and profit"
      moreLabel="Show older statements"
      card={(statement) => (
        <StatementCard
          statement={statement}
          onEdit={() => onChange({ open: statement.id })}
          onDelete={() => remove(statement.id)}
          isDeleting={deletingId === statement.id}
        />
      )}
      dialog={(opened) => (
        <RecordDialog
          {...opened}
          records={statements}
          addLabel="Add Statement"
          invalid="Validation Error"
        >
          {(form) => <StatementFields {...form} />}
        </RecordDialog>
      )}
    />
  );
}
