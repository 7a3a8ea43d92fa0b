import { invoicesKey } from '#web/lib/data/keys.ts';
import { formatInstantDay } from '#web/lib/format/dates.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Account } from './refunds-api.ts';

async function fetchReminders({ client, currency }: Account) {
  const { data } = await supabase()
    .from('payment_reminders')
    .select('id, days_overdue, mailed_at, created_at')
    .eq('client_id', client)
    .eq('currency', currency)
    .order('created_at', { ascending: false })
    .order('id')
    .limit(5)
    .throwOnError();
  return data;
}

/** When the client was reminded lately; nothing where it never was. */
export function RemindersNote(account: Account) {
  const { data = [] } = useLiveQuery('payment_reminders', invoicesKey, {
    queryKey: [...invoicesKey, 'reminders', account],
    queryFn: () => fetchReminders(account),
  });
  if (data.length === 0) return null;
  return (
    <p className="text-sm text-muted">
      Reminders by mail:{' '}
      {data
        .map(({ days_overdue, mailed_at, created_at }) =>
          mailed_at
            ? `${formatInstantDay(mailed_at)} (step of ${days_overdue} days)`
            : `${formatInstantDay(created_at)}, not sent yet`,
        )
        .join('; ')}
      .
    </p>
  );
}
