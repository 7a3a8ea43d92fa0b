// A new client whose site was guarded in a month long ago: a contract with a rate, and approved hours.
import { randomUUID } from 'node:crypto';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Database } from '#shared/database.types.ts';
import { type Month, type MonthOfHours, monthOfHours, type Worked } from './month-of-hours.ts';

export type BilledMonth = MonthOfHours & {
  client: { id: string; name: string };
  contract: { id: string; email: string };
};

type Server = { url: string; dataDir: string; admin: SupabaseClient<Database> };

/** Hours cost $4.25; the contract lasts the year. @param people what each guard worked, by a key */
export async function billedMonth(
  { url, dataDir, admin }: Server,
  month: Month,
  people: Record<string, readonly Worked[]>,
): Promise<BilledMonth> {
  const hours = await monthOfHours(url, dataDir, month, people);
  const name = `Mission ${randomUUID().slice(0, 8)}`;
  const email = `accounts-${randomUUID().slice(0, 8)}@mission.example`;
  const { data: client } = await admin
    .from('clients')
    .insert({ name, number_of_guards: 1, monthly_rate: 900, location: 'Sinkor' })
    .select('id, name')
    .single()
    .throwOnError();
  await admin.from('sites').update({ client_id: client.id }).eq('id', hours.siteId).throwOnError();
  const { data: contract } = await admin
    .from('contracts')
    .insert({
      client_id: client.id,
      title: 'Guarding',
      starts_on: `${month.year}-01-01`,
      ends_on: `${month.year}-12-31`,
      bill_to_email: email,
    })
    .select('id')
    .single()
    .throwOnError();
  await admin
    .from('contract_posts')
    .insert({
      contract_id: contract.id,
      site_id: hours.siteId,
      starts_on: `${month.year}-01-01`,
    })
    .throwOnError();
  await admin
    .from('rates')
    .insert({ contract_id: contract.id, amount: 4.25, effective_from: `${month.year}-01-01` })
    .throwOnError();
  const { data: sheets } = await admin
    .from('timesheets')
    .select('id')
    .in(
      'user_id',
      Object.values(hours.guards).map(({ session }) => session.user.id),
    )
    .throwOnError();
  await admin.rpc('approve_timesheets', { ids: sheets.map(({ id }) => id) }).throwOnError();
  return { ...hours, client, contract: { id: contract.id, email } };
}
