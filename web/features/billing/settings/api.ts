// What invoices say about the company, where clients pay to, and when they are reminded.
import { invoicesKey } from '#web/lib/data/keys.ts';
import { changeOne, recordChanges, withAuthor } from '#web/lib/data/records.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { requireUserId } from '#web/lib/session/auth.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { accountColumns, type SettingsForm, settingsColumns } from './schema.ts';

export const paymentAccounts = recordChanges({
  table: 'payment_accounts',
  key: invoicesKey,
  name: 'account',
  toColumns: accountColumns,
  toNewRow: withAuthor,
  duplicate: 'Invoices have this account already.',
});

async function fetchAccounts() {
  const { data } = await supabase()
    .from('payment_accounts')
    .select('*')
    .order('currency', { ascending: false })
    .order('kind')
    .order('created_at')
    .order('id')
    .throwOnError();
  return data;
}

export const usePaymentAccounts = () =>
  useLiveQuery('payment_accounts', invoicesKey, {
    queryKey: [...invoicesKey, 'payment accounts'],
    queryFn: fetchAccounts,
  });

async function fetchSettings() {
  const [{ data: settings }, { data: numbers }] = await Promise.all([
    supabase().from('billing_settings').select('*').single().throwOnError(),
    supabase().from('company_numbers').select('tin').single().throwOnError(),
  ]);
  return { settings, tin: numbers.tin };
}

export const useSettings = () =>
  useLiveQuery(['billing_settings', 'company_numbers'], invoicesKey, {
    queryKey: [...invoicesKey, 'settings'],
    queryFn: fetchSettings,
  });

async function saveSettings({ id, form }: { id: string; form: SettingsForm }) {
  await requireUserId();
  await changeOne(
    supabase().from('billing_settings').update(settingsColumns(form)).eq('id', id),
    'row of settings',
  );
}

export const useSaveSettings = () => useChange(invoicesKey, saveSettings);
