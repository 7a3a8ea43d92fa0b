// All records that the search and the filters leave: for the file, and for the payslips.
import { everyRow } from '#web/lib/files/csv.ts';
import { type PayrollFilters, payrollQuery } from './list-payroll.ts';

export const everyPayroll = (filters: PayrollFilters) =>
  everyRow(async (from, to) => {
    const { data } = await payrollQuery(filters).range(from, to).throwOnError();
    return data;
  });
