// The lines that explain the deductions of a record.
import { centsOf, sumOf } from '#shared/money.ts';
import { calculationSchema, type PayrollRow } from './schema.ts';

/** @returns the lines, only while they add up to the deductions; somebody may have changed these by hand */
export function explanationOf(row: Pick<PayrollRow, 'calculation' | 'deductions'>) {
  const lines = calculationSchema.parse(row.calculation);
  if (!lines || sumOf(lines.map(({ amount }) => amount)) !== centsOf(row.deductions)) return null;
  return lines;
}
