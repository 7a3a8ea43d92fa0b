// The salary of one person over time, with who changed it.
import { formatDollars } from '#shared/money.ts';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { useSalaries } from '../api/list-salaries.ts';

export function SalaryHistory({ id }: { id: string }) {
  const query = useSalaries(id);
  return (
    <details className="border-t border-line pt-3 text-sm">
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-accent">
        Salary history
      </summary>
      <Loaded query={query} loadingText="Loading salary history...">
        {(changes) =>
          changes.length === 0 ? (
            <p className="text-muted">No change is recorded.</p>
          ) : (
            <ol className="grid gap-2">
              {changes.map(({ entry, at, actor, salary_amount, payment_frequency }) => (
                <li key={entry} className="flex flex-wrap justify-between gap-x-4">
                  <span className="font-semibold tabular-nums">
                    {formatDollars(salary_amount)} {payment_frequency}
                  </span>
                  <span className="text-muted">
                    {formatDateTime(at)}
                    {actor && `, ${actor}`}
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Loaded>
    </details>
  );
}
