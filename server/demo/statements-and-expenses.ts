import type { ClientBase } from 'pg';
import type { Calendar } from './calendar.ts';
import { EXPENSES } from './data.ts';
import { idOf } from './ids.ts';
import { load } from './load.ts';
import type { People } from './people.ts';
import { Random } from './random.ts';

const MONTHS = 30;
const EXPENSE_REPORTS = 3_000;
/** Revenue of the latest month in USD, and the factor for each month before. */
const REVENUE = 152_000;
const GROWTH = 0.992;

const MONTH_NAME = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

function makeStatements(calendar: Calendar) {
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
      created_at: calendar.past(calendar.at(calendar.dayOf(last) + 6, 15)),
    };
  });
}

function makeExpenses(calendar: Calendar) {
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
      created_at: calendar.past(calendar.at(day, random.int(8, 18), random.int(0, 59))),
    };
  });
}

export async function insertStatementsAndExpenses(
  client: ClientBase,
  people: People,
  calendar: Calendar,
): Promise<void> {
  const author = people.named('admin').id;
  await load(
    client,
    'public.financial_statements',
    {
      id: 'uuid',
      title: 'text',
      period_start: 'date',
      period_end: 'date',
      total_revenue: 'numeric',
      total_expenses: 'numeric',
      notes: 'text',
      created_by: 'uuid',
      created_at: 'timestamptz',
    },
    makeStatements(calendar).map((row) => ({ ...row, created_by: author })),
    { net_profit: 'total_revenue - total_expenses' },
  );
  await load(
    client,
    'public.expense_reports',
    {
      id: 'uuid',
      title: 'text',
      amount: 'numeric',
      category: 'text',
      expense_date: 'date',
      report_type: 'text',
      notes: 'text',
      created_by: 'uuid',
      created_at: 'timestamptz',
    },
    makeExpenses(calendar).map((row) => ({ ...row, created_by: author })),
  );
}
