// Creates confirmed accounts directly in the database, with or without a running server: demo people, the first admin.
import type { ClientBase } from 'pg';

interface NewAccount {
  id: string;
  email: string;
  fullName: string;
  /** ISO time; default now. */
  createdAt?: string;
}

/**
 * All accounts of a call share one bcrypt hash, since hashing is slow by design: only for one person, or a demo.
 * @throws pg's DatabaseError 23505 if an address is taken
 */
export async function insertAccounts(
  client: ClientBase,
  accounts: readonly NewAccount[],
  password: string,
): Promise<void> {
  await client.query(
    `with hash as materialized (
       select extensions.crypt($2, extensions.gen_salt('bf', 10)) as value
     ),
     people as (
       select *, coalesce("createdAt", now()) as made_at from jsonb_to_recordset($1::jsonb)
         as p (id uuid, email text, "fullName" text, "createdAt" timestamptz)
     ),
     users as (
       insert into auth.users (id, aud, role, email, encrypted_password, email_confirmed_at,
         raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
       select id, 'authenticated', 'authenticated', lower(email), hash.value, made_at,
         '{"provider":"email","providers":["email"]}',
         jsonb_build_object('full_name', "fullName", 'email_verified', true),
         made_at, made_at
       from people, hash
       returning id
     )
     insert into auth.identities (id, user_id, provider, provider_id, identity_data, created_at, updated_at)
     select gen_random_uuid(), users.id, 'email', users.id::text,
       jsonb_build_object('sub', users.id, 'email', lower(email), 'full_name', "fullName",
         'email_verified', true, 'phone_verified', false),
       made_at, made_at
     from users join people using (id)`,
    [JSON.stringify(accounts), password],
  );
}
