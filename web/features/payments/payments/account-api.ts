import { payAccountsKey } from '#web/lib/data/keys.ts';
import { listQueries } from '#web/lib/data/list-queries.ts';
import { changeOne, existing } from '#web/lib/data/records.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import type { ImportedRecord } from '#web/lib/files/read-table.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { EXPORT_COLUMNS } from './account-import.ts';
import { type AccountForm, type ListedAccount, type PayAccount, toRow } from './account-schema.ts';
import type { AccountSearch } from './account-search.ts';

const NAME = 'pay account';

type Named = { full_name: string | null; email: string | null } | null;
type NamedAccount = PayAccount & { changer: Named; verifier: Named };

const LISTED = '*, staff!inner(full_name, user_id)';

function accountsQuery({ q = '', state }: Pick<AccountSearch, 'q' | 'state'>) {
  let query = supabase().from('pay_accounts').select(LISTED, { count: 'exact' });
  if (state === 'unverified') query = query.is('verified_at', null);
  if (state === 'verified') query = query.not('verified_at', 'is', null);
  const patterns = searchPatterns(q);
  if (patterns.length > 0) query = query.likeAllOf('staff.search_name', patterns);
  return query.order('staff(full_name)').order('id').returns<ListedAccount[]>();
}

export const accountList = listQueries('pay accounts', {
  key: payAccountsKey,
  tables: 'pay_accounts',
  filters: ['q', 'state'],
  rows: accountsQuery,
  columns: EXPORT_COLUMNS,
});

type AccountFile = {
  rows: ImportedRecord[];
  /** Of the rows in the file, for messages about one. */
  numbers: number[];
};

async function importAccounts({ rows, numbers }: AccountFile): Promise<number> {
  await requireUserId();
  await supabase()
    .rpc('import_pay_accounts', { p_rows: rows, p_is_trial: false, p_lines: numbers })
    .throwOnError();
  return rows.length;
}

export const useImportAccounts = () => useChange(payAccountsKey, importAccounts);

/** Stores nothing. @returns what is wrong with each row, or null */
export async function tryAccounts(rows: ImportedRecord[]) {
  const { data } = await supabase()
    .rpc('import_pay_accounts', { p_rows: rows, p_is_trial: true })
    .throwOnError();
  const problems = new Map(data.map(({ line, problem }) => [line, problem]));
  return rows.map((_, index) => problems.get(index + 1) ?? null);
}

/** Confirms the numbers that the user has seen, all or none. @returns how many */
export async function verifyAccounts(accounts: readonly PayAccount[]): Promise<number> {
  const { data } = await supabase()
    .rpc('verify_pay_accounts', {
      p_accounts: accounts.map(({ id, account_number }) => ({ id, number: account_number })),
    })
    .throwOnError();
  return data;
}

async function fetchAccount(staffId: string) {
  const { data } = await supabase()
    .from('pay_accounts')
    .select(
      '*, changer:profiles!changed_by(full_name, email), verifier:profiles!verified_by(full_name, email)',
    )
    .eq('staff_id', staffId)
    .maybeSingle<NamedAccount>()
    .throwOnError();
  return data;
}

/** The data is null if the person has no account. */
export const usePayAccount = (staffId: string) =>
  useLiveQuery('pay_accounts', payAccountsKey, {
    queryKey: [...payAccountsKey, staffId],
    queryFn: () => fetchAccount(staffId),
  });

type Save = { staffId: string; id: string | undefined; form: AccountForm };

async function saveAccount({ staffId, id, form }: Save): Promise<void> {
  const created_by = await requireUserId();
  const accounts = () => supabase().from('pay_accounts');
  const change =
    id === undefined
      ? accounts().insert({ ...toRow(form), staff_id: staffId, created_by })
      : accounts().update(toRow(form)).eq('id', id);
  const { data } = await change.select('id').maybeSingle().throwOnError();
  existing(data, NAME);
}

export const useSavePayAccount = () => useChange(payAccountsKey, saveAccount);

async function removeAccount(id: string): Promise<void> {
  await changeOne(supabase().from('pay_accounts').delete().eq('id', id), NAME);
}

export const useRemovePayAccount = () => useChange(payAccountsKey, removeAccount);

/** Confirms the number that the user has seen. */
async function verifyAccount({ id, account_number }: Pick<PayAccount, 'id' | 'account_number'>) {
  await supabase()
    .rpc('verify_pay_account', {
      p_id: id,
      ...(account_number !== null && { p_number: account_number }),
    })
    .throwOnError();
}

export const useVerifyPayAccount = () => useChange(payAccountsKey, verifyAccount);
