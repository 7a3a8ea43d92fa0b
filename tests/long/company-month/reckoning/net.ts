// From what was earned to what is paid: corrections, tax, social security, standing deductions and repayments.

import { divided, least, most } from '#tests/support/cents.ts';
import { dateOf, dayOf, type Period } from '../calendar.ts';
import type { Debt, Guard } from '../facts.ts';
import { earnings, itemAmount, type Line, total } from './pay.ts';
import type { Time } from './time.ts';

/** The product's bands: yearly income in LRD from which the share in hundredths is taken. */
const BANDS: [from: bigint, until: bigint | undefined, percent: bigint][] = [
  [70_000n, 200_000n, 5n],
  [200_000n, 800_000n, 15n],
  [800_000n, undefined, 25n],
];
/** LRD in hundredths for one US dollar, from a day on. */
export const EXCHANGE: [from: number, rate: bigint][] = [
  [dayOf('2025-01-01'), 18_400n],
  [dayOf('2025-03-20'), 19_125n],
];

/** What the runs of each month, by their last day, have taxed and withheld, in ten-thousandths of LRD. */
export type Taxed = Map<string, { income: bigint; tax: bigint }>;

/** Tax on the whole month so far, less what its other runs withhold. Paying a run changes `taxed`. */
function incomeTax(taxable: bigint, guard: Guard, run: Period, taxed: Taxed): bigint {
  const rate =
    run.currency === 'LRD' ? 100n : (EXCHANGE.findLast(([from]) => from <= run.last)?.[1] ?? 0n);
  const month = dateOf(run.last).slice(0, 7);
  const before = taxed.get(month) ?? { income: 0n, tax: 0n };
  // Cents times hundredths: ten-thousandths of LRD.
  const income = before.income + taxable * rate;
  // Twelve times a month's tax, in hundredths of that.
  let due = 0n;
  if (guard.isResident) {
    for (const [from, until, percent] of BANDS) {
      const upper = until === undefined ? income * 12n : least(income * 12n, until * 10_000n);
      due += most(0n, upper - from * 10_000n) * percent;
    }
  } else {
    due = income * 12n * 20n;
  }
  const tax = divided(due - before.tax * 1200n, 1200n * rate);
  taxed.set(month, { income, tax: before.tax + tax * rate });
  return tax;
}

/** What is still owed of each debt; paying a run changes it. */
export type Owed = Map<Debt, bigint>;

/** Takes amounts in their order while something is left. */
function taken(amounts: bigint[], from: bigint): bigint[] {
  let left = most(0n, from);
  return amounts.map((amount) => {
    const takes = least(amount, left);
    left -= takes;
    return takes;
  });
}

/**
 * The lines of a payslip; none if nothing was earned or corrected.
 * @param owed is lowered by what the lines repay
 * @param taxed grows by what the lines tax
 * @param corrections of earlier periods that the run pays
 */
export function payslip(
  guard: Guard,
  run: Period,
  time: Time,
  owed: Owed,
  taxed: Taxed,
  corrections: bigint[] = [],
): Line[] {
  const lines = earnings(guard, run, time);
  if (lines.length + corrections.length === 0) return [];
  lines.push(...corrections.map((cents) => ({ kind: 'adjustment', cents, taxable: true })));
  const gross = total(lines);
  const taxable = most(0n, total(lines.filter((line) => line.taxable)));
  const take = (kind: string, cents: bigint) => lines.push({ kind, cents: -cents, taxable: false });
  take('income_tax', incomeTax(taxable, guard, run, taxed));
  take('nasscorp', divided(gross * 4n, 100n));

  const standing = guard.items
    .filter(({ kind }) => kind === 'deduction')
    .sort((a, b) => a.from - b.from || a.name.localeCompare(b.name));
  const wanted = standing.map((item) => itemAmount(item, guard, run, time));
  for (const cents of taken(wanted, total(lines))) take('deduction', cents);

  const due = guard.debts
    .filter(({ currency, from }) => currency === run.currency && from <= run.last)
    .sort((a, b) => a.from - b.from);
  // A quarter of what is left, rounded down.
  const room = most(0n, total(lines)) / 4n;
  const parts = due.map((debt) => least(debt.part, owed.get(debt) ?? debt.amount));
  taken(parts, room).forEach((cents, index) => {
    const debt = due[index];
    if (debt === undefined) return;
    owed.set(debt, (owed.get(debt) ?? debt.amount) - cents);
    take(debt.kind, cents);
  });
  return lines.filter(({ cents }) => cents !== 0n);
}
