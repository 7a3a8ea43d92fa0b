import type { ClientBase } from 'pg';
import { type Calendar, iso } from './calendar.ts';
import { BANK_ACCOUNTS, LOANS } from './data.ts';
import { idOf } from './ids.ts';
import { load } from './load.ts';
import type { People } from './people.ts';

const STATEMENT_NOTE = 'From the bank’s statement of last month.';

export async function insertAccounts(
  client: ClientBase,
  people: People,
  calendar: Calendar,
): Promise<void> {
  const { first, last } = calendar.month(-1);
  const common = (number: number) => ({
    statement_period_start: first,
    statement_period_end: last,
    created_by: people.named('admin').id,
    created_at: iso(calendar.at(-20 * (number + 1), 11)),
  });
  await load(
    client,
    'public.bank_accounts',
    {
      id: 'uuid',
      account_number: 'text',
      account_title: 'text',
      bank_name: 'text',
      currency: 'text',
      current_balance: 'numeric',
      balance_type: 'text',
      address: 'text',
      status: 'text',
      notes: 'text',
      statement_period_start: 'date',
      statement_period_end: 'date',
      created_by: 'uuid',
      created_at: 'timestamptz',
    },
    BANK_ACCOUNTS.map(({ bank, account, title, currency, balance, type, status, address }, i) => ({
      id: idOf('bank account', i),
      account_number: account,
      account_title: title,
      bank_name: bank,
      currency,
      current_balance: balance,
      balance_type: type,
      address,
      status,
      notes: status === 'ACTIVE' ? STATEMENT_NOTE : null,
      ...common(i),
    })),
  );
  await load(
    client,
    'public.loans',
    {
      id: 'uuid',
      loan_account_number: 'text',
      account_title: 'text',
      bank_name: 'text',
      currency: 'text',
      opening_balance: 'numeric',
      current_balance: 'numeric',
      total_debit: 'numeric',
      total_credit: 'numeric',
      account_type: 'text',
      status: 'text',
      statement_period_start: 'date',
      statement_period_end: 'date',
      created_by: 'uuid',
      created_at: 'timestamptz',
    },
    LOANS.map(({ bank, account, title, currency, type, status, ...amounts }, i) => ({
      id: idOf('loan', i),
      loan_account_number: account,
      account_title: title,
      bank_name: bank,
      currency,
      opening_balance: amounts.opening,
      total_debit: amounts.debit,
      total_credit: amounts.credit,
      current_balance: amounts.current,
      account_type: type,
      status,
      ...common(i),
    })),
  );
}
