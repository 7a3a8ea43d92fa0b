import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { type BillingDue, useBillingDue } from './billing-due-api.ts';

const nameOf = ({ client_name, title }: BillingDue) => `${client_name}, ${title}`;

type RowsProps = { rows: BillingDue[]; onChoose: (row: BillingDue) => void };

function Rows({ rows, onChoose }: RowsProps) {
  return (
    <ul className="max-h-64 divide-y divide-line overflow-y-auto">
      {rows.map((row) => (
        <li
          key={`${row.contract_id} ${row.period_start}`}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm"
        >
          <span className="min-w-48 flex-1">
            <span className="block font-semibold">{nameOf(row)}</span>
            <span className="block text-muted">{row.reason}</span>
          </span>
          {row.state !== 'due' && row.state !== 'over' && (
            <Button variant="link" onClick={() => onChoose(row)}>
              Choose days<span className="sr-only"> of {nameOf(row)}</span>
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

type DueListProps = {
  on: string;
  client: string;
  /** Bills a contract for days of its own. */
  onChoose: (row: BillingDue) => void;
};

/** The contracts and periods that are due on a day, and why the other contracts are not in it. */
export function DueList({ on, client, onChoose }: DueListProps) {
  return (
    <Loaded query={useBillingDue({ on, client })} loadingText="Looking up what is due...">
      {(contracts) => {
        const due = contracts.filter(({ state }) => state === 'due');
        const others = contracts.filter(({ state }) => state !== 'due');
        return (
          <div className="grid gap-4">
            <section aria-label="Due">
              <h3 className="mb-1 font-display text-lg">Due ({due.length})</h3>
              {due.length === 0 ? (
                <EmptyNote>Nothing is due.</EmptyNote>
              ) : (
                <Rows rows={due} onChoose={onChoose} />
              )}
            </section>
            {others.length > 0 && (
              <details>
                <summary className="cursor-pointer py-2 font-display text-lg">
                  Not in it ({others.length})
                </summary>
                <Rows rows={others} onChoose={onChoose} />
              </details>
            )}
          </div>
        );
      }}
    </Loaded>
  );
}
