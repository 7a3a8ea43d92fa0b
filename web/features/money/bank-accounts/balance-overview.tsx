import { formatBalance } from '#shared/money.ts';
import { ExportButton, PrintButton } from '#web/components/list/list-buttons.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { AccountNumber } from '#web/components/text/account-number.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { cn } from '#web/lib/cn.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { bankAccountList, useBalances } from './api.ts';
import { type CurrencyBalance, signedCents } from './rules.ts';

function CurrencyCard({ currency, total, accounts }: CurrencyBalance) {
  const headingId = `balance-${currency}`;
  return (
    <Card className="break-inside-avoid">
      <section aria-labelledby={headingId}>
        <div className="flex flex-wrap items-end justify-between gap-4 border-b border-line p-5">
          <div>
            <h3 id={headingId} className="font-display text-xl">
              {currency}
            </h3>
            <p className="text-sm text-muted">
              Total balance of {accounts.length} {accounts.length === 1 ? 'account' : 'accounts'}
            </p>
          </div>
          <p
            className={cn(
              'font-semibold text-2xl tabular-nums sm:text-3xl',
              total < 0n && 'text-danger',
            )}
          >
            {formatBalance(total)}
          </p>
        </div>
        <ul className="divide-y divide-line">
          {accounts.map((account) => (
            <li key={account.id} className="flex items-baseline justify-between gap-4 px-5 py-3">
              <div className="min-w-0">
                <p className="font-semibold break-words">{account.account_title}</p>
                <p className="text-sm text-muted">
                  {[
                    account.bank_name,
                    account.status === 'ACTIVE' ? undefined : STATUS_LABELS[account.status],
                  ]
                    .filter(Boolean)
                    .join(' · ')}{' '}
                  <AccountNumber number={account.account_number} />
                </p>
              </div>
              <p className="whitespace-nowrap tabular-nums">
                {formatBalance(signedCents(account))}
              </p>
            </li>
          ))}
        </ul>
      </section>
    </Card>
  );
}

export function BalanceOverview() {
  return (
    <>
      <ScreenHeading title="Bank Statements" subtitle="Total balance by currency">
        <ExportButton exportRecords={(format) => bankAccountList.exportAll({}, format)} />
        <PrintButton />
      </ScreenHeading>
      <Loaded query={useBalances()} loadingText="Loading bank statements..." failure="Error">
        {(balances) =>
          balances.length === 0 ? (
            <EmptyNote>No bank accounts yet. Add them under Bank Accounts.</EmptyNote>
          ) : (
            <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
              {balances.map((balance) => (
                <CurrencyCard key={balance.currency} {...balance} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  );
}
