// Financial statements, expense reports, and the accounts and loans at banks.

import { type Calendar, iso } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf, Random } from '../random.ts';
import accountsData from './bank-accounts.json' with { type: 'json' };
import EXPENSES from './expenses.json' with { type: 'json' };

const { bankAccounts: BANK_ACCOUNTS, loans: LOANS } = accountsData;

export const MONTHS = 30;
const EXPENSE_REPORTS = 3_000;
/** Sites to which guards are driven. */
const TRIP_SITES = 60;
/** Revenue of the latest month in USD, and the factor for each month before. */
const REVENUE = 152_000;
const GROWTH = 0.992;

export const MONTH_NAME = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

export function makeStatements(calendar: Calendar, created_by: string) {
  const random = new Random('statements');
  return Array.from({ length: MONTHS }, (_, index) => {
    const { first, last } = calendar.month(index - MONTHS);
    const age = MONTHS - index - 1;
    const revenue = REVENUE * GROWTH ** age * (0.96 + random.next() * 0.08);
    const expenses = revenue * (0.8 + random.next() * 0.24);
    // The latest statement is a draft.
    const isDraft = age === 0;
    return {
      id: idOf('statement', index),
      title: `Financial Statement, ${MONTH_NAME.format(new Date(first))}`,
      period_start: first,
      period_end: last,
      total_revenue: revenue.toFixed(2),
      total_expenses: isDraft ? null : expenses.toFixed(2),
      notes: isDraft ? 'Draft. Expenses are being collected.' : null,
      created_by,
      created_at: calendar.past(calendar.at(calendar.dayOf(last) + 6, 15)),
    };
  });
}

function makeExpenses(calendar: Calendar, created_by: string) {
  const random = new Random('expenses');
  const firstDay = calendar.dayOf(calendar.month(-MONTHS).first);
  return Array.from({ length: EXPENSE_REPORTS }, (_, index) => {
    const day = random.int(firstDay, 0);
    const kind = random.weighted(EXPENSES.map((entry) => [entry, entry.weight] as const));
    const isMonthly = random.chance(kind.monthly);
    return {
      id: idOf('expense', index),
      title: random.pick(kind.titles),
      amount: random.amount(kind.from, kind.to, kind.step),
      category: kind.category,
      expense_date: calendar.date(day),
      report_type: isMonthly ? 'monthly' : 'daily',
      notes: random.chance(0.1) ? random.pick(kind.notes) : null,
      site_id: kind.category === 'transport' ? idOf('site', index % TRIP_SITES) : null,
      created_by,
      created_at: calendar.past(calendar.at(day, random.int(8, 18), random.int(0, 59))),
    };
  });
}

const STATEMENT_NOTE = 'From the bank’s statement of last month.';

export async function insertAccounting({ client, people, calendar }: Loading): Promise<void> {
  const author = people.named('admin').id;
  await insertRows(client, 'financial_statements', makeStatements(calendar, author), {
    net_profit: 'total_revenue - total_expenses',
  });
  await insertRows(client, 'expense_reports', makeExpenses(calendar, author));
  const { first, last } = calendar.month(-1);
  const common = (number: number) => ({
    statement_period_start: first,
    statement_period_end: last,
    created_by: author,
    created_at: iso(calendar.at(-20 * (number + 1), 11)),
  });
  const accounts = BANK_ACCOUNTS.map((account, i) => ({
    id: idOf('bank account', i),
    ...account,
    notes: account.status === 'ACTIVE' ? STATEMENT_NOTE : null,
    ...common(i),
  }));
  await insertRows(client, 'bank_accounts', accounts);
  const loans = LOANS.map((loan, i) => ({ id: idOf('loan', i), ...loan, ...common(i) }));
  await insertRows(client, 'loans', loans);
}
