// A payslip is a payroll record, with the lines of the pay run that wrote it, if one did.
import { z } from 'zod';
import type { Database } from '#shared/database.types.ts';
import { PAYSLIP_LINES_KIND } from '#shared/database.values.ts';
import { parseCents, sumCents } from '#shared/money.ts';
import { formatDay, formatMinutes } from '#web/lib/format/dates.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';

type Payroll = Database['public']['Tables']['payroll']['Row'];

/** How each deduction was calculated, in the database's words. */
export const calculationSchema = z
  .array(z.object({ name: z.string(), amount: z.number(), how: z.string() }))
  .nullable()
  .catch(null);
export type Calculation = z.infer<typeof calculationSchema>;

const yearSchema = z.object({
  gross: z.number(),
  taxable: z.number(),
  tax: z.number(),
  employee: z.number(),
  employer: z.number(),
  net: z.number(),
});

export const slipSchema = z.object({
  gross: z.number(),
  deductions: z.number(),
  net: z.number(),
  currency: z.string(),
  /** The employer's share of social security, on top. Absent, like the next, in payslips that an older version cached. */
  employer_cost: z.number().optional(),
  /** From January to this payslip, in its currency; null while its run is not locked. */
  year_to_date: yearSchema.nullish(),
  payslip_lines: z.array(
    z.object({
      position: z.number(),
      /** Absent in payslips that an older version cached. */
      kind: z.enum(PAYSLIP_LINES_KIND).optional(),
      label: z.string(),
      quantity: z.number().nullable(),
      unit: z.string(),
      rate: z.number().nullable(),
      amount: z.number(),
      explanation: z.string(),
    }),
  ),
});
/** The payslip of a pay run. Gross less deductions is net, and the lines add up to it. */
export type Slip = z.infer<typeof slipSchema>;
export type SlipLine = Slip['payslip_lines'][number];

/** Columns of `payslips`, for a `Slip`. */
export const SLIP_COLUMNS =
  'gross, deductions, net, currency, employer_cost, year_to_date, payslip_lines(position, kind, label, quantity, unit, rate, amount, explanation)';

/** Columns of `payroll`, for a row of type `Payslip`. */
const PERSON_COLUMNS = 'staff!inner(full_name, role, tin, nasscorp_number)';

export const PAYSLIP_COLUMNS = `*, ${PERSON_COLUMNS}, payslips(${SLIP_COLUMNS})`;

/** As PAYSLIP_COLUMNS, without the records that no pay run wrote. */
export const RUN_PAYSLIP_COLUMNS = `*, ${PERSON_COLUMNS}, payslips!inner(${SLIP_COLUMNS})`;

export type Payslip = Pick<
  Payroll,
  | 'id'
  | 'period_start'
  | 'period_end'
  | 'base_amount'
  | 'deductions'
  | 'bonuses'
  | 'net_amount'
  | 'payment_date'
  | 'returned_on'
  | 'return_reason'
  | 'payment_status'
  | 'notes'
  | 'calculation'
  | 'currency'
> & {
  staff: {
    full_name: string;
    role: 'admin' | 'guard';
    /** Absent, like the next, in payslips that an older version cached. */
    tin?: string | null;
    nasscorp_number?: string | null;
  };
  /** Null for a record without a pay run. Lines come in any order. */
  payslips: Slip | null;
};

/** @returns for example "Paid, Nov 3, 2026", or "Pending, returned on Nov 20, 2026" */
export function describePayment(
  row: Pick<Payslip, 'payment_status' | 'payment_date' | 'returned_on'>,
): string {
  const { payment_status, payment_date, returned_on } = row;
  const status = STATUS_LABELS[payment_status];
  if (returned_on !== null && payment_status === 'pending')
    return `${status}, returned on ${formatDay(returned_on)}`;
  return payment_date === null ? status : `${status}, ${formatDay(payment_date)}`;
}

/** @returns the lines in the order in which the run computed them */
export const listLines = ({ payslip_lines: lines }: Slip): SlipLine[] =>
  [...lines].sort((a, b) => a.position - b.position);

/** @returns for example "104 h 30 min × 1.03", rounded for readers; '' where the amount is not a product */
export function formatQuantity({ quantity, unit, rate }: SlipLine): string {
  // Hours that the salary contains have rate 0.
  if (quantity === null || !rate || unit === '') return '';
  const count = unit === 'h' ? formatMinutes(Math.round(quantity * 60)) : `${quantity} ${unit}`;
  return `${count} × ${rate.toFixed(2)}`;
}

/** @returns the numbers of the authorities that are known */
export const listNumbers = ({ tin, nasscorp_number }: Payslip['staff']): [string, string][] => [
  ...(tin ? [['TIN', tin] satisfies [string, string]] : []),
  ...(nasscorp_number ? [['NASSCORP Number', nasscorp_number] satisfies [string, string]] : []),
];

/** @returns the employer's share and the sums of the year, those that are known */
export function listYear({ employer_cost, year_to_date }: Slip): {
  employer: number | undefined;
  year: [name: string, amount: number][];
} {
  const sums: [string, number][] = year_to_date
    ? [
        ['Gross', year_to_date.gross],
        ['Income tax', year_to_date.tax],
        ['NASSCORP', year_to_date.employee],
        ['NASSCORP by the employer', year_to_date.employer],
        ['Net', year_to_date.net],
      ]
    : [];
  return { employer: employer_cost, year: sums };
}

/** @returns how the deductions were calculated; null if they were then changed by hand */
export function explainDeductions(row: Pick<Payslip, 'calculation' | 'deductions'>): Calculation {
  const lines = calculationSchema.parse(row.calculation);
  if (!lines || sumCents(lines.map(({ amount }) => amount)) !== parseCents(row.deductions))
    return null;
  return lines;
}
