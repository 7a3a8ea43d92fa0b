import { queryOptions } from '@tanstack/react-query';
import { everyRow } from '#web/lib/data/every-row.ts';
import type { Samples } from '#web/lib/data/import-records.ts';
import { bankAccountsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { NEWEST_FIRST, parseOrder, type RecordsSearch } from '#web/lib/data/list-search.ts';
import { CARDS_STEP } from '#web/lib/data/pages.ts';
import { recordHooks, withAuthor } from '#web/lib/data/records.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { balancesByCurrency } from './rules.ts';
import { type BankAccount, bankAccountSchema, toForm, toRow } from './schema.ts';

export const bankAccounts = recordHooks({
  table: 'bank_accounts',
  key: bankAccountsKey,
  name: 'bank account',
  schema: bankAccountSchema,
  toForm,
  toColumns: toRow,
  toNewRow: withAuthor,
});

function fetchByBank(): Promise<BankAccount[]> {
  return everyRow(async (from, to) => {
    const { data } = await supabase()
      .from('bank_accounts')
      .select()
      .order('bank_name')
      .order('account_title')
      .order('id')
      .range(from, to)
      .throwOnError();
    return data;
  });
}

export const balancesQuery = queryOptions({
  queryKey: [...bankAccountsKey, 'balances'],
  queryFn: fetchByBank,
});

/** The accounts and their total, by currency. */
export const useBalances = () =>
  useLiveQuery('bank_accounts', bankAccountsKey, { ...balancesQuery, select: balancesByCurrency });

export const bankAccountSamples: Samples = {
  table: 'bank_accounts',
  key: bankAccountsKey,
  load: async () => (await import('./sample.ts')).sampleBankAccounts,
  nameColumn: 'account_title',
  nouns: ['bank account', 'bank accounts'],
  success: () => 'Bank account imported successfully',
  failure: 'Failed to import bank account. It may already exist.',
};

const SORTS = { title: 'account_title', bank: 'bank_name', balance: 'current_balance' };

const EXPORT_COLUMNS: TableColumn<BankAccount>[] = [
  { heading: 'Bank Name', value: (row) => row.bank_name },
  { heading: 'Account Title', value: (row) => row.account_title },
  { heading: 'Account Number', value: (row) => row.account_number },
  { heading: 'Currency', value: (row) => row.currency },
  { heading: 'Current Balance', kind: 'amount', value: (row) => row.current_balance?.toFixed(2) },
  { heading: 'Balance Type', value: (row) => row.balance_type },
  { heading: 'Period Start', kind: 'day', value: (row) => row.statement_period_start },
  { heading: 'Period End', kind: 'day', value: (row) => row.statement_period_end },
  { heading: 'Status', value: (row) => STATUS_LABELS[row.status] },
  { heading: 'Address', value: (row) => row.address },
  { heading: 'Notes', value: (row) => row.notes },
];

export const bankAccountList = listQueries('bank accounts', {
  key: bankAccountsKey,
  tables: 'bank_accounts',
  filters: ['sort'],
  rows: ({ sort }: Pick<RecordsSearch, 'sort'>) => {
    const { column, ascending } = parseOrder(sort, SORTS, NEWEST_FIRST);
    return supabase()
      .from('bank_accounts')
      .select('*', { count: 'exact' })
      .order(column, { ascending })
      .order('id');
  },
  columns: EXPORT_COLUMNS,
  pageSize: CARDS_STEP,
});
