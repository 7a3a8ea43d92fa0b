import { describe, expect, it } from 'vitest';
import { freshDatabase } from '#tests/support/database.ts';

const { owner } = await freshDatabase();

describe('the auth tables', () => {
  it('belong to supabase_auth_admin and have row-level security', async () => {
    const { rows } = await owner.query<{ name: string; owner: string; secured: boolean }>(
      `select relname as name, pg_get_userbyid(relowner) as owner, relrowsecurity as secured
       from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r'`,
    );
    expect(rows.map((row) => row.name).sort()).toEqual([
      'attempts',
      'audit_log_entries',
      'flow_state',
      'identities',
      'known_networks',
      'mfa_amr_claims',
      'mfa_challenges',
      'mfa_factors',
      'notices',
      'one_time_tokens',
      'refresh_tokens',
      'saml_providers',
      'saml_relay_states',
      'saml_used_assertions',
      'seen_devices',
      'sessions',
      'sso_domains',
      'sso_providers',
      'users',
      'webauthn_challenges',
      'webauthn_credentials',
    ]);
    for (const row of rows) {
      expect(row, row.name).toMatchObject({ owner: 'supabase_auth_admin', secured: true });
    }
  });

  it.each(['anon', 'authenticated', 'service_role'])('grant %s nothing', async (role) => {
    const { rows } = await owner.query<{ open: string }>(
      `select relname as open from pg_class
       where relnamespace = 'auth'::regnamespace and relkind = 'r'
         and has_table_privilege($1, oid, 'select, insert, update, delete, truncate, references, trigger')`,
      [role],
    );
    expect(rows).toEqual([]);
  });

  it("support an app's trigger that creates a profile and a foreign key that deletes it", async () => {
    await owner.query(`
      create table public.people (id uuid primary key references auth.users (id) on delete cascade, name text);
      create function public.make_person() returns trigger language plpgsql security definer set search_path = ''
      as $$ begin
        insert into public.people values (new.id, new.raw_user_meta_data ->> 'full_name');
        return new;
      end $$;
      create trigger make_person after insert on auth.users for each row execute function public.make_person();
    `);
    const client = await owner.connect();
    try {
      await client.query('set role supabase_auth_admin');
      const id = crypto.randomUUID();
      await client.query(
        `insert into auth.users (id, email, raw_user_meta_data) values ($1, 'a@test.example', '{"full_name":"A"}')`,
        [id],
      );
      await client.query('reset role');
      const made = await client.query('select name from public.people where id = $1', [id]);
      expect(made.rows).toEqual([{ name: 'A' }]);
      await client.query('set role supabase_auth_admin');
      await client.query('delete from auth.users where id = $1', [id]);
      await client.query('reset role');
      const left = await client.query('select name from public.people where id = $1', [id]);
      expect(left.rows).toEqual([]);
    } finally {
      client.release(true);
    }
  });
});
