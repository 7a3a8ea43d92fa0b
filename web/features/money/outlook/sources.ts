// What each expected amount is, where it comes from, and the list that it opens.
import type { Expected, Source } from './outlook.ts';

type Place = { to: string; search?: Record<string, string> };
type SourceText = { name: string; how: string; place: Place; missing: string };

export const SOURCE_TEXTS: Readonly<Record<Source, SourceText>> = {
  invoices: {
    name: 'Issued invoices',
    how: 'What is open, on the day on which the client usually pays. Late ones: as many days from now as they are late.',
    place: { to: '/admin/invoices' },
    missing: 'No issued invoice is open.',
  },
  invoices_to_come: {
    name: 'Invoices to come',
    how: 'Each period that a contract bills, like its last three invoices.',
    place: { to: '/admin/contracts' },
    missing: 'No contract has been billed yet, so no invoices to come are expected.',
  },
  pay_runs: {
    name: 'Pay',
    how: 'Net pay that is not paid yet. Runs to come are like the last locked one.',
    place: { to: '/admin/payruns' },
    missing: 'No pay run was locked in the last two months, so no pay is expected.',
  },
  paye: {
    name: 'PAYE',
    how: 'Income tax of the pay runs of a month, on the 10th of the next.',
    place: { to: '/admin/payroll/returns' },
    missing: 'No PAYE is due.',
  },
  nasscorp: {
    name: 'NASSCORP',
    how: 'Both shares of the pay runs of a month, on the 10th of the next.',
    place: { to: '/admin/payroll/returns', search: { kind: 'nasscorp' } },
    missing: 'No NASSCORP is due.',
  },
  vat: {
    name: 'VAT',
    how: 'VAT that is filed and not paid, and that of documents that no return has, on the 21st of the next month.',
    place: { to: '/admin/invoices/vat' },
    missing: 'No VAT is due.',
  },
  loans: {
    name: 'Loans',
    how: 'Repayments in an average week of the last 13, from the entries of the books.',
    place: { to: '/admin/invoices/accounting', search: { tab: 'entries' } },
    missing:
      'No repayment of a loan is in the books of the last 13 weeks. Loan Accounts have no days of repayment.',
  },
  expenses: {
    name: 'Expenses',
    how: 'An average week of the last 13.',
    place: { to: '/admin/expenses' },
    missing: 'No expense was entered in the last 13 weeks.',
  },
};

/** Where the document of an expected amount is opened. */
export function placeOfExpected({ source, opens }: Expected): Place {
  if (source === 'invoices' && opens) return { to: `/admin/invoices/${opens}` };
  if (source === 'invoices_to_come' && opens) return { to: `/admin/contracts/${opens}` };
  if (source === 'pay_runs' && opens) return { to: `/admin/payruns/${opens}` };
  return SOURCE_TEXTS[source].place;
}
