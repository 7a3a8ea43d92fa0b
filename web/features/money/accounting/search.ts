import { BOOK_ENTRY_LINES_CURRENCY } from '#shared/database.values.ts';
import { listSearch, openForm } from '#web/lib/data/list-search.ts';
import { day, defineSearch, oneOf, type SearchOf, uuid } from '#web/lib/data/search-fields.ts';

export const ACCOUNTING_TABS = [
  'journal',
  'balances',
  'profit',
  'sheet',
  'ledger',
  'entries',
  'bank',
  'chart',
  'closing',
] as const;

export const accountingSearch = defineSearch({
  ...listSearch,
  tab: oneOf(ACCOUNTING_TABS),
  /** First and last day, yyyy-MM-dd; last month without them. */
  from: day,
  to: day,
  /** Of the ledger: whose entries, in which currency. Of the bank: which bank account. */
  account: uuid,
  currency: oneOf(BOOK_ENTRY_LINES_CURRENCY),
  /** Of the bank: lines that are matched; open ones without it. */
  lines: oneOf(['matched']),
  /** Entry by hand. */
  open: openForm,
});
export type AccountingSearch = SearchOf<typeof accountingSearch>;
