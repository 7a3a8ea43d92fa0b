import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { endOfMonth, formatMonths } from '#web/lib/format/dates.ts';
import { openMonths, openWork } from './closing-work.ts';
import { useClosingWork } from './closings-api.ts';

function OpenWork({ month }: { month: string }) {
  return (
    <Loaded query={useClosingWork(month)} loadingText="Loading what is open...">
      {(work) => {
        const open = openWork(work, month);
        if (open.length === 0)
          return <Alert tone="success" title="Everything of this month is done" />;
        return (
          <ul className="divide-y divide-line border-y border-line">
            {open.map(({ item, amount, label, explained, to, search }) => (
              <li key={item} className="flex items-center justify-between gap-4 py-3">
                <span>
                  <Link to={to} search={search} className={PAGE_LINK}>
                    {label}
                  </Link>
                  {explained && <SecondLine>{explained}</SecondLine>}
                </span>
                <span className="text-lg font-semibold tabular-nums">{formatCount(amount)}</span>
              </li>
            ))}
          </ul>
        );
      }}
    </Loaded>
  );
}

type ClosingMonthsProps = {
  closedTo: string | null;
  /** Closes the books up to a day; nothing can be closed without it. */
  onClose?: (day: string) => void;
};

/** The month that is closed next, with what is still open of it, and those that wait for it. */
export function ClosingMonths({ closedTo, onClose }: ClosingMonthsProps) {
  const id = useId();
  const months = openMonths(closedTo);
  const [next] = months;
  const [chosen, setChosen] = useState<string>();
  if (next === undefined) return <EmptyNote>Every month that is over is closed.</EmptyNote>;
  const month = chosen !== undefined && months.includes(chosen) ? chosen : next;
  const name = (each: string) => formatMonths(each, each);
  return (
    <section aria-labelledby={id}>
      <Card className="grid gap-4 p-5 sm:p-6">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <h3 id={id} className="font-display text-2xl">
            Next to close: {name(next)}
          </h3>
          {onClose && <Button onClick={() => onClose(endOfMonth(next))}>Close {name(next)}</Button>}
        </div>
        {months.length > 1 && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <label htmlFor={`${id}-month`} className="text-sm text-muted">
              What is open of
            </label>
            <div className="w-40">
              <Select
                id={`${id}-month`}
                value={month}
                onChange={({ target }) => setChosen(target.value)}
              >
                {months.map((each) => (
                  <option key={each} value={each}>
                    {name(each)}
                  </option>
                ))}
              </Select>
            </div>
          </div>
        )}
        <OpenWork month={month} />
        <p className="text-sm text-muted">
          Months are closed in order: closing one closes all before it.
        </p>
      </Card>
    </section>
  );
}
