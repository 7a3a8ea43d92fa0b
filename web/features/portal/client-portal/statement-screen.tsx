import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { cn } from '#web/lib/cn.ts';
import { formatDay, formatPeriod, today } from '#web/lib/format/dates.ts';
import { ChoiceBar } from './choice-bar.tsx';
import { type Balance, balancesQuery, statementQuery } from './invoices-api.ts';
import {
  STATEMENT_LABELS,
  STATEMENT_PERIODS,
  type StatementPeriod,
  statementDays,
} from './periods.ts';

type Entry = {
  day: string;
  kind: string;
  document: string;
  text: string;
  charge: number;
  payment: number;
  balance: number;
};

/** @returns for example "Invoice INV-2026-0007" and what it is about */
function namesOf({ kind, document, text }: Entry): [name: string, details: string] {
  if (kind === 'opening') return ['Balance brought forward', ''];
  if (kind === 'closing') return ['Balance', ''];
  if (kind === 'invoice') return [`Invoice ${document}`, text];
  if (kind === 'credit_note') return [`Credit note ${document}`, text];
  if (kind === 'refund') return [`Refund, ${text.toLowerCase()}`, document];
  if (kind === 'refund_return') return [text, document];
  return [kind === 'void' ? text : `Payment, ${text.toLowerCase()}`, document];
}

function Statement({ entries, currency }: { entries: readonly Entry[]; currency: string }) {
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <Card>
      <ScrollRegion label="Statement of account">
        <table className="w-full text-left text-sm tabular-nums">
          <caption className="sr-only">Statement of account in {currency}</caption>
          <thead>
            <tr className="border-b border-line-strong">
              <th scope="col" className="px-4 py-2.5 font-semibold sm:px-5">
                Entry
              </th>
              <th scope="col" className="px-4 py-2.5 text-right font-semibold">
                Amount<span className="sm:hidden">, balance</span>
              </th>
              <th
                scope="col"
                className="px-4 py-2.5 text-right font-semibold max-sm:hidden sm:px-5"
              >
                Balance
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {entries.map((entry, index) => {
              const [name, details] = namesOf(entry);
              const isSum = entry.kind === 'opening' || entry.kind === 'closing';
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a statement have no id and no state.
                <tr key={index} className={isSum ? 'font-semibold' : undefined}>
                  <th scope="row" className="min-w-32 px-4 py-2.5 font-normal sm:px-5">
                    <span className="block font-semibold break-words">{name}</span>
                    <span className="block text-muted">
                      {formatDay(entry.day)}
                      {details && <span className="break-words">, {details}</span>}
                    </span>
                  </th>
                  <td className="px-4 py-2.5 text-right align-top whitespace-nowrap">
                    {!isSum && money(entry.charge - entry.payment)}
                    <span className={cn('block sm:hidden', !isSum && 'text-muted')}>
                      {money(entry.balance)}
                    </span>
                  </td>
                  <td className="px-4 py-2.5 text-right align-top whitespace-nowrap max-sm:hidden sm:px-5">
                    {money(entry.balance)}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </Card>
  );
}

const keyOf = ({ client_id, currency }: Balance) => `${client_id} ${currency}`;

function Accounts({ accounts }: { accounts: readonly [Balance, ...Balance[]] }) {
  const [chosen, setChosen] = useState(keyOf(accounts[0]));
  const [period, setPeriod] = useState<StatementPeriod>('quarter');
  const account = accounts.find((one) => keyOf(one) === chosen) ?? accounts[0];
  const days = statementDays(period, today());
  const query = useQuery({
    ...statementQuery(account, days),
    placeholderData: keepPreviousData,
  });
  const isOneClient = accounts.every(({ client_id }) => client_id === account.client_id);
  return (
    <>
      <p className="mb-5 text-muted">
        {account.client_name}, {formatPeriod(days.from, days.to)}, in {account.currency}
      </p>
      <div className="mb-6 grid gap-3">
        {accounts.length > 1 && (
          <ChoiceBar
            legend="Account"
            name="account"
            options={accounts.map((one) => [
              keyOf(one),
              isOneClient ? one.currency : `${one.client_name}, ${one.currency}`,
            ])}
            value={keyOf(account)}
            onChange={setChosen}
          />
        )}
        <ChoiceBar
          legend="Period"
          name="period"
          options={STATEMENT_PERIODS.map((each) => [each, STATEMENT_LABELS[each]] as const)}
          value={period}
          onChange={setPeriod}
        />
      </div>
      <Loaded query={query} loadingText="Loading the statement">
        {(entries) => <Statement entries={entries} currency={account.currency} />}
      </Loaded>
    </>
  );
}

export function StatementScreen() {
  const query = useQuery(balancesQuery);
  usePageTitle('Statement of account');
  return (
    <>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <h1 className="font-display text-3xl leading-tight sm:text-4xl">Statement of account</h1>
        <Button variant="secondary" className="max-sm:hidden print:hidden" onClick={() => print()}>
          <Printer aria-hidden="true" className="size-4" />
          Print
        </Button>
      </div>
      <Loaded query={query} loadingText="Loading your accounts">
        {([first, ...others]) =>
          first ? (
            <Accounts accounts={[first, ...others]} />
          ) : (
            <EmptyNote>Nothing was invoiced yet.</EmptyNote>
          )
        }
      </Loaded>
    </>
  );
}
