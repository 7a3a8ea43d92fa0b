import type { RATE_PROPOSALS_KIND } from '#shared/database.values.ts';

export type RateKind = (typeof RATE_PROPOSALS_KIND)[number];

type Limit = { least: number; most: number; problem: string };

const share = 'A share of NASSCORP must be above 0 % and at most 30 %.';
const incomeTax = 'Income tax can be 60 % at most.';

/** As stored: a share of 1, or an amount. private.rate_problem() has the same in the database. */
export const RATE_LIMITS: Record<RateKind, Limit> = {
  income_tax: { least: 0, most: 0.6, problem: incomeTax },
  income_tax_non_resident: { least: 0, most: 0.6, problem: incomeTax },
  income_tax_no_tin: { least: 0, most: 0.6, problem: incomeTax },
  nasscorp_employee: { least: 0.000001, most: 0.3, problem: share },
  nasscorp_employer: { least: 0.000001, most: 0.3, problem: share },
  lrd_per_usd: {
    least: 50,
    most: 1000,
    problem: 'The exchange rate must be from L$50 to L$1,000 for one US$.',
  },
  minimum_wage: {
    least: 0.5,
    most: 100,
    problem: 'The minimum wage must be from US$0.50 to US$100 a day.',
  },
  tax: { least: 0, most: 0.5, problem: 'Tax on invoices can be 50 % at most.' },
};

/** An exchange rate is old when it is from more days before the end of a pay period. */
export const OLD_EXCHANGE_RATE_DAYS = 31;
