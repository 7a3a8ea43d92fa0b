import { formatMoney, parseCents } from '#shared/money.ts';
import { Alert } from '#web/components/ui/alert.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { AccountLink } from './account-link.tsx';
import type { Days } from './rules.ts';
import { type Balance, sumOf } from './statements.ts';

const FIGURE = 'py-2 pl-3 text-right whitespace-nowrap';

/** For each column of amounts: what an account has in it, in cents. */
const COLUMNS: readonly [heading: string, centsOf: (balance: Balance) => bigint][] = [
  ['Before', ({ opening }) => parseCents(opening)],
  ['Debits', ({ debit }) => parseCents(debit)],
  ['Credits', ({ credit }) => parseCents(credit)],
  ['Debit balance', ({ closing }) => (closing > 0 ? parseCents(closing) : 0n)],
  ['Credit balance', ({ closing }) => (closing < 0 ? -parseCents(closing) : 0n)],
];

type TableProps = { balances: readonly Balance[]; currency: string; days: Days };

/** Every account with what moved it, and totals that show that the books balance. */
export function BalanceTable({ balances, currency, days }: TableProps) {
  const money = (cents: bigint) => (cents === 0n ? '' : formatMoney(cents, currency));
  const totals = COLUMNS.map(([, centsOf]) => sumOf(balances.map(centsOf)));
  const [before, debits, credits, debit, credit] = totals;
  const isBalanced = before === 0n && debits === credits && debit === credit;
  return (
    <section aria-label={`Trial balance in ${currency}`} className="grid min-w-0 gap-4">
      <h3 className="font-display text-2xl">{currency}</h3>
      {!isBalanced && <Alert tone="danger" title="Debits and credits differ" />}
      <ScrollRegion label={`Accounts in ${currency}`}>
        <table className="w-full min-w-3xl text-sm tabular-nums">
          <thead className="text-sm text-muted">
            <tr>
              <th scope="col" className="py-2 pr-4 text-left">
                Code
              </th>
              <th scope="col" className="py-2 text-left">
                Account
              </th>
              {COLUMNS.map(([heading]) => (
                <th key={heading} scope="col" className={FIGURE}>
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {balances.map((balance) => (
              <tr key={balance.account_id} className="border-t border-line">
                <td className="py-2 pr-4 text-muted">{balance.code}</td>
                <th scope="row" className="min-w-40 py-2 text-left font-normal">
                  <AccountLink account={balance} days={days} />
                </th>
                {COLUMNS.map(([heading, centsOf]) => (
                  <td key={heading} className={FIGURE}>
                    {money(centsOf(balance))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr className="border-t-2 border-line-strong font-semibold">
              <td />
              <th scope="row" className="py-2 text-left">
                Total
              </th>
              {COLUMNS.map(([heading], index) => (
                <td key={heading} className={FIGURE}>
                  {formatMoney(totals[index] ?? 0n, currency)}
                </td>
              ))}
            </tr>
          </tfoot>
        </table>
      </ScrollRegion>
    </section>
  );
}
