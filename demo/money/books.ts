// Entries of the books by hand: what the company had, its loan, and what it earned and paid before this program did it.
import { type Calendar, CLOSED_MONTHS } from '../calendar.ts';
import type { Loading } from '../clients/business.ts';
import { insertRows } from '../insert-rows.ts';
import { idOf } from '../random.ts';
import { MONTH_NAME, MONTHS, makeStatements } from './accounting.ts';

/** Months of payroll in this program, with the running one. */
const PAYROLL_MONTHS = 12;
/** Of what a month earned. */
const WAGES = 0.68;
/** What was earned beside the services of the statements. */
const TOGETHER = 1.1;

type Line = readonly [account: string, amount: number, currency?: 'LRD'];
type Entry = { kind: string; day: string; description: string; lines: readonly Line[] };

const OPENING: readonly Line[] = [
  ['bank', 164_500],
  ['cash', 3_200],
  ['mobile_money', 6_400],
  ['staff_advances', 1_850],
  ['loans_payable', -72_000],
  ['equity', -103_950],
  ['bank', 3_150_000, 'LRD'],
  ['equity', -3_150_000, 'LRD'],
];

const moved = (from: string, to: string, amount: number): readonly Line[] => [
  [to, amount],
  [from, -amount],
];

/** @param offset of the month, -1 for the last one */
function entriesOfMonth(calendar: Calendar, offset: number, earned: number): Entry[] {
  const { first, last } = calendar.month(offset);
  const name = MONTH_NAME.format(new Date(first));
  const entry = (kind: string, description: string, lines: readonly Line[]): Entry => ({
    kind,
    day: last,
    description: `${description}, ${name}`,
    lines,
  });
  const repaid = entry('loan', 'Vehicle loan repaid with interest', [
    ['loans_payable', 1_500],
    ['interest', 420],
    ['bank', -1_920],
  ]);
  const transfers = [
    entry('transfer', 'Sent to mobile money for wages', moved('bank', 'mobile_money', 31_000)),
    entry('transfer', 'Drawn in cash for wages', moved('bank', 'cash', 7_500)),
  ];
  if (offset > -CLOSED_MONTHS) return [repaid, ...transfers];
  const revenue = entry('other', 'Invoices paid, from the books before', [
    ['bank', earned],
    ['revenue', -earned],
  ]);
  // Its hours were the first that this program billed, in the month after.
  if (offset === -CLOSED_MONTHS) return [repaid, revenue, ...transfers];
  if (offset > -PAYROLL_MONTHS) return [repaid, revenue];
  const paid = Math.round(earned * WAGES);
  return [
    repaid,
    revenue,
    entry('other', 'Wages, from the books before', [
      ['wages', paid],
      ['bank', -paid],
    ]),
  ];
}

function makeEntries(calendar: Calendar, author: string): Entry[] {
  const opening: Entry = {
    kind: 'opening',
    day: calendar.month(-MONTHS - 1).last,
    description: 'Opening balances',
    lines: OPENING,
  };
  const exchanged: Entry = {
    kind: 'exchange',
    day: calendar.month(-1).last,
    description: 'Liberian dollars sold at 186',
    lines: [
      ['bank', 3_000],
      ['exchange', -3_000],
      ['exchange', 558_000, 'LRD'],
      ['bank', -558_000, 'LRD'],
    ],
  };
  const months = makeStatements(calendar, author).flatMap(({ total_revenue }, index) =>
    entriesOfMonth(calendar, index - MONTHS, Math.round(Number(total_revenue) * TOGETHER)),
  );
  return [opening, ...months, exchanged];
}

export async function insertBooks({ client, people, calendar }: Loading): Promise<void> {
  const created_by = people.named('finance').id;
  const entries = makeEntries(calendar, people.named('admin').id);
  await insertRows(
    client,
    'book_entries',
    entries.map(({ kind, day, description }, number) => ({
      id: idOf('book entry', number),
      kind,
      day,
      description,
      created_by,
      created_at: calendar.past(calendar.at(calendar.dayOf(day) + 2, 10)),
    })),
  );
  await insertRows(
    client,
    'book_entry_lines',
    entries.flatMap(({ lines }, number) =>
      lines.map(([account, amount, currency = 'USD'], index) => ({
        entry_id: idOf('book entry', number),
        position: index + 1,
        account,
        currency,
        amount,
      })),
    ),
  );
}
