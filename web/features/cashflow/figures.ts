// The figures of one currency, in the order of the screen.
import { z } from 'zod';
import { centsOf } from '#shared/money.ts';

const cents = z.string().transform(centsOf);

/** Amounts come as text: a sum may hold more digits than a JSON number keeps. */
export const cashflowSchema = z.array(
  z.object({
    currency: z.string(),
    inflows: cents,
    outflows: cents,
    net: cents,
    bank_balance: cents,
    loan_balance: cents,
  }),
);

export type Cashflow = z.infer<typeof cashflowSchema>[number];

/** Figures that are sums of rows, as the database names them. */
export const FIGURES = {
  inflows: 'Total Inflows',
  outflows: 'Total Outflows',
  bank_balance: 'Bank Account Balance',
  loan_balance: 'Loan Balance',
} as const;

export type Figure = keyof typeof FIGURES;
