// Fills a new database with the demo company.
import type { ClientBase } from 'pg';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from './accounts.ts';

/** One bcrypt hash serves all demo accounts: the password is published anyway, and hashing is slow by design. */
export async function fillDemo(client: ClientBase): Promise<void> {
  await client.query(
    `with hash as materialized (select extensions.crypt($2, extensions.gen_salt('bf', 10)) as value),
     people as (
       select (p ->> 'id')::uuid as id, p ->> 'email' as email, p ->> 'fullName' as full_name
       from jsonb_array_elements($1::jsonb) as p
     ),
     users as (
       insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
         raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
       select id, 'authenticated', 'authenticated', email, hash.value, now(),
         '{"provider":"email","providers":["email"]}',
         jsonb_build_object('full_name', full_name, 'email_verified', true), now(), now()
       from people, hash
     )
     insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
     select gen_random_uuid(), id, 'email', id::text,
       jsonb_build_object('sub', id, 'email', email, 'full_name', full_name,
         'email_verified', true, 'phone_verified', false), now(), now()
     from people`,
    [JSON.stringify(DEMO_ACCOUNTS), DEMO_PASSWORD],
  );
  await client.query(
    `insert into public.user_roles (user_id, role)
     select (p ->> 'id')::uuid, p ->> 'role' from jsonb_array_elements($1::jsonb) as p`,
    [JSON.stringify(DEMO_ACCOUNTS)],
  );
}
