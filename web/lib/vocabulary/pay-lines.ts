import type { PAYSLIP_LINES_KIND } from '#shared/database.values.ts';

/** What a line of a payslip is, in one plain sentence for the person who is paid; how it was counted follows it. */
export const PAY_LINE_SENTENCES: Record<(typeof PAYSLIP_LINES_KIND)[number], string> = {
  salary: 'This is your salary for the period.',
  regular: 'This is for your normal work.',
  overtime_1: 'You worked more than the normal hours, which pays more.',
  overtime_2: 'You worked far more than the normal hours, which pays more again.',
  night: 'This is for hours that you worked at night.',
  holiday: 'You worked on a public holiday, which pays more.',
  leave_paid: 'You were on leave that the company pays.',
  leave_unpaid: 'You were on leave that is not paid.',
  absence: 'You were planned for these hours and did not work them.',
  allowance: 'This comes on top of what your hours pay.',
  adjustment: 'This puts right what an earlier payslip paid.',
  income_tax: 'The company pays this tax on your wage to the government for you.',
  nasscorp: 'This is your share for NASSCORP: your pension, and help if you are hurt at work.',
  deduction: 'This is taken from your pay, as agreed.',
  advance: 'You pay back a part of your advance.',
  loan: 'You pay back a part of your loan.',
  uniform: 'You pay a part of your uniform.',
  other: 'You pay back a part of what you owe the company.',
};
