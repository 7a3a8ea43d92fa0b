// Fills a new database with the demo company.
import type { ClientBase } from 'pg';
import { insertAccounts } from '../set-up-accounts.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from './accounts.ts';

/** @param client inside a transaction */
export async function fillDemo(client: ClientBase): Promise<void> {
  await insertAccounts(client, DEMO_ACCOUNTS, DEMO_PASSWORD);
  const { rows } = await client.query<{ id: string }>(
    `insert into public.sites (name, client_name, address) values
       ('Mamba Point Residence', 'Harbour View Estates', 'Newport Street, Mamba Point, Monrovia')
     returning id`,
  );
  await client.query(
    `insert into public.user_roles (user_id, role, site_id)
     select (p ->> 'id')::uuid, p ->> 'role', case when p ->> 'role' = 'supervisor' then $2::uuid end
     from jsonb_array_elements($1::jsonb) as p`,
    [JSON.stringify(DEMO_ACCOUNTS), rows[0]?.id],
  );
}
