import { useQuery } from '@tanstack/react-query';
import { ScrollText } from 'lucide-react';
import { formatMoney, parseCents } from '#shared/money.ts';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { InvoiceCard } from './invoice-card.tsx';
import { type Balance, balancesQuery, invoicesQuery } from './invoices-api.ts';
import { PlaceLink } from './places.tsx';

function Balances({ balances }: { balances: readonly Balance[] }) {
  const clients = new Set(balances.map((balance) => balance.client_id));
  return (
    <div className="mb-8 grid grid-cols-1 gap-4">
      {balances.map((balance) => {
        const money = (amount: number) => formatMoney(amount, balance.currency);
        return (
          <Card key={`${balance.client_id} ${balance.currency}`} className="p-4 sm:p-6">
            {clients.size > 1 && (
              <p className="mb-2 font-semibold break-words">{balance.client_name}</p>
            )}
            <Figures
              figures={[
                ['Open', money(balance.open)],
                ['Overdue', money(balance.overdue)],
                ['Next due', balance.next_due ? formatDay(balance.next_due) : '-'],
                ...(parseCents(balance.on_account) === 0n
                  ? []
                  : [['Paid in advance', money(balance.on_account)] as const]),
              ]}
            />
          </Card>
        );
      })}
    </div>
  );
}

export function InvoicesScreen() {
  const query = useQuery(invoicesQuery);
  const balancing = useQuery(balancesQuery);
  const { data: balances = [] } = balancing;
  usePageTitle('Invoices');
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 className="font-display text-3xl leading-tight sm:text-4xl">Invoices</h1>
        <PlaceLink
          to="/client/statement"
          className={buttonStyles({ variant: 'secondary', className: 'print:hidden' })}
        >
          <ScrollText aria-hidden="true" className="size-4" />
          Statement of account
        </PlaceLink>
      </div>
      {/* The balances are above the invoices. */}
      <Loaded query={query} loadingText="Loading your invoices" shownWith={[balancing]}>
        {(invoices) =>
          invoices.length === 0 ? (
            <EmptyNote>No invoices yet.</EmptyNote>
          ) : (
            <>
              <Balances balances={balances} />
              <ul aria-label="Invoices" className="grid grid-cols-1 gap-4">
                {invoices.map((invoice) => (
                  <li key={invoice.id}>
                    <InvoiceCard
                      invoice={invoice}
                      hasOthers={invoices.some((one) => one.client_id !== invoice.client_id)}
                    />
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
    </>
  );
}
