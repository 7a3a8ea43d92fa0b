import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatMoney, parseCents } from '#shared/money.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { isZero } from '../rules.ts';
import { type Reconciliation, useReconciliation } from './api.ts';

type Listed = { id: string; name: string; note: string; amount: string };
type PartProps = { name: string; amount: string; currency: string; children?: ReactNode };

const FIGURE = 'font-semibold tabular-nums sm:text-lg';
const LABEL = 'flex min-h-11 items-center justify-between gap-4 py-2';

/** A part of the difference, with what it is made of. */
function Part({ name, amount, currency, children }: PartProps) {
  const figure = (
    <span className="whitespace-nowrap tabular-nums">{formatMoney(amount, currency)}</span>
  );
  if (!children)
    return (
      <li className={LABEL}>
        <span>{name}</span>
        {figure}
      </li>
    );
  return (
    <li>
      <details>
        <summary className={`${LABEL} cursor-pointer list-none [&::-webkit-details-marker]:hidden`}>
          <span className="flex items-center gap-2">
            <ChevronDown
              aria-hidden="true"
              className="size-4 shrink-0 text-muted transition-transform in-open:rotate-180"
            />
            {name}
          </span>
          {figure}
        </summary>
        {children}
      </details>
    </li>
  );
}

type ItemsProps = { items: readonly Listed[]; count: number; currency: string };

function Items({ items, count, currency }: ItemsProps) {
  return (
    <ul className="mb-3 divide-y divide-line border-t border-line pl-6 text-[0.9375rem]">
      {items.map(({ id, name, note, amount }) => (
        <li key={id} className="flex items-start justify-between gap-4 py-2">
          <span className="min-w-0 break-words">
            {name}
            <SecondLine>{note}</SecondLine>
          </span>
          <span className="whitespace-nowrap tabular-nums">{formatMoney(amount, currency)}</span>
        </li>
      ))}
      {count > items.length && (
        <li className="py-2 text-sm text-muted">
          The first {items.length} of {formatCount(count)}
        </li>
      )}
    </ul>
  );
}

const negated = (amount: string) =>
  parseCents(amount) === 0n ? amount : amount.startsWith('-') ? amount.slice(1) : `-${amount}`;

function Parts({ found }: { found: Reconciliation }) {
  const { currency, line_count, document_count } = found;
  const lines = found.lines.map(({ id, day, text, amount }) => ({
    ...{ id, amount },
    name: text || 'No text',
    note: formatDay(day),
  }));
  const documents = found.documents.map(({ kind, id, day, document, text, amount }) => ({
    id: `${kind} ${id}`,
    name: document ?? '',
    note: [formatDay(day), text].filter(Boolean).join(', '),
    amount: negated(amount),
  }));
  return (
    <ul aria-label="What the difference is" className="divide-y divide-line border-y border-line">
      {!isZero(found.before) && (
        <Part
          name={`Before the first statement, ${formatDay(found.first_day)}`}
          amount={found.before}
          currency={currency}
        />
      )}
      {line_count > 0 && (
        <Part
          name={`On a statement, not in the books: ${formatCount(line_count)}`}
          amount={found.line_total}
          currency={currency}
        >
          <Items items={lines} count={line_count} currency={currency} />
        </Part>
      )}
      {document_count > 0 && (
        <Part
          name={`In the books, on no statement: ${formatCount(document_count)}`}
          amount={negated(found.document_total)}
          currency={currency}
        >
          <Items items={documents} count={document_count} currency={currency} />
        </Part>
      )}
    </ul>
  );
}

type BalanceProps = { account: string; day: string };

/** Whether the statements agree with the books on a day, and what makes the difference. */
export function Balance({ account, day }: BalanceProps) {
  const id = useId();
  return (
    <Loaded query={useReconciliation(account, day)} loadingText="Loading the balance...">
      {(found) => {
        if (found === null)
          return (
            <EmptyNote>
              No statement up to {formatDay(day)}. Import the first one: a CSV or Excel file of the
              bank.
            </EmptyNote>
          );
        const money = (amount: string) => formatMoney(amount, found.currency);
        const gaps = found.accounts.filter(({ missing }) => !isZero(missing));
        return (
          <section aria-labelledby={id}>
            <Card className="grid gap-4 p-5 sm:p-6">
              <h3 id={id} className="font-display text-2xl">
                Balance on {formatDay(day)}
              </h3>
              <dl className="flex flex-wrap gap-x-10 gap-y-3">
                <Item name="Statements" className={FIGURE}>
                  {money(found.statement)}
                </Item>
                <Item name="Books" className={FIGURE}>
                  {money(found.books)}
                </Item>
                <Item name="Difference" className={FIGURE}>
                  {money(found.difference)}
                </Item>
              </dl>
              {isZero(found.difference) && (
                <Alert tone="success" title="The statements agree with the books" />
              )}
              {gaps.map(({ id: key, name, missing }) => (
                <Alert key={key} tone="warning" title={`Lines of ${name} are missing`}>
                  The last file ends {money(missing)} from where its lines lead. Import the file
                  between.
                </Alert>
              ))}
              <Parts found={found} />
              {found.accounts.length > 1 && (
                <p className="text-sm text-muted">
                  Together with{' '}
                  {found.accounts
                    .filter((each) => each.id !== account)
                    .map(({ name, balance }) => `${name} (${money(balance ?? '0')})`)
                    .join(', ')}
                  : they are one account of the books.
                </p>
              )}
            </Card>
          </section>
        );
      }}
    </Loaded>
  );
}
