// Rules for every table, policy, function and grant, read from the catalogue.

import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { tables } from '#shared/permissions.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

async function names(sql: string, values: unknown[] = []): Promise<string[]> {
  const { rows } = await database.owner.query<{ name: string }>(sql, values);
  return rows.map(({ name }) => name);
}

/** Each needs a reason: a view without security_invoker bypasses the policies of its tables. */
const OWNERS_VIEWS = {
  security_events:
    'Admins read the trail of the auth service, whose tables are closed to everyone.',
  user_accounts:
    'Admins learn which accounts are disabled, which only the auth service’s table tells.',
  people_list:
    'People managers learn what is missing in a record: of pay, which they can’t read, that there is none.',
  announcement_list:
    'People managers learn whom an announcement reaches, which roles and assignments decide that HR can’t read.',
  site_options: 'Anyone who reports an incident chooses among the names of all sites.',
};

/** Each needs a reason. */
const OPEN_POLICIES: Record<string, string> = {};

/** What a shared device calls. Each takes the device's code or secret, and checks it first. */
const DEVICE_FUNCTIONS = [
  ...['device_away', 'device_bind', 'device_clock', 'device_people'],
  'device_set_pin',
];

/** What the button in a push message calls, with the token of that message. */
const PUSH_FUNCTIONS = ['answer_pushed_check'];

/** What a phone calls for a user who has signed out, with a token that opens nothing else. */
const LEFT_FUNCTIONS = [
  ...['deliver', 'delivery_statement', 'end_delivery_token', 'end_left_session'],
  'take_delivery',
];

const ANON_GRANTS = ['id', 'name', 'email', 'company', 'message'].map(
  (column) => `INSERT contact_messages.${column}`,
);

describe('row-level security', () => {
  test('is enabled on every table of schema public', async () => {
    const without = await names(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`);
    expect(without).toEqual([]);
  });

  test('applies to views too, except those listed with a reason', async () => {
    const views = await names(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
        and coalesce(array_to_string(reloptions, ','), '') !~ 'security_invoker=(true|on)'`);
    expect(views.sort()).toEqual(Object.keys(OWNERS_VIEWS).sort());
  });

  test('has no policy that is always true, except those listed with a reason', async () => {
    const open = await names(`
      select policyname as name from pg_policies
      where schemaname = 'public' and (qual = 'true' or with_check = 'true')`);
    expect(open).toEqual(Object.keys(OPEN_POLICIES));
  });

  test('has policies for one command and named roles, each with a unique sentence as its name', async () => {
    const odd = await names(`
      select policyname as name from pg_policies
      where schemaname = 'public'
        and (cmd = 'ALL' or 'public' = any (roles) or policyname !~ '^[A-Z][^.]+ .+[^.]$')`);
    expect(odd).toEqual([]);
    const repeated = await names(`
      select policyname as name from pg_policies where schemaname = 'public'
      group by policyname having count(*) > 1`);
    expect(repeated).toEqual([]);
  });

  test('calls functions once per query, not once per row', async () => {
    const perRow = await names(`
      select policyname as name from pg_policies
      where schemaname = 'public'
        and regexp_replace(coalesce(qual, '') || coalesce(with_check, ''), '\\( ?SELECT (auth|private)\\.', '', 'g')
          ~ '(auth|private)\\.'`);
    expect(perRow).toEqual([]);
  });
});

describe('grants', () => {
  test('to anon are only those listed here', async () => {
    const granted = await names(`
      select privilege_type || ' ' || table_name || '.' || column_name as name
      from information_schema.column_privileges
      where table_schema = 'public' and grantee in ('anon', 'PUBLIC')`);
    expect(granted.sort()).toEqual([...ANON_GRANTS].sort());
    const whole = await names(`
      select privilege_type || ' ' || table_name as name from information_schema.table_privileges
      where table_schema in ('public', 'private') and grantee in ('anon', 'PUBLIC')`);
    expect(whole).toEqual([]);
  });

  test('of execute are explicit, and to anon are only those of shared devices, push messages and queues left behind', async () => {
    const open = await names(`
      select p.proname as name from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
        and has_function_privilege('anon', p.oid, 'execute')`);
    expect(open.sort()).toEqual([...PUSH_FUNCTIONS, ...LEFT_FUNCTIONS, ...DEVICE_FUNCTIONS].sort());
  });

  test('and policies come in pairs: none exists without the other', async () => {
    const mismatched = await names(`
      select c.relname || ' ' || command.name as name
      from pg_class c
      cross join (values ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) command (name)
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
        and exists (
          select from pg_policies p
          where p.schemaname = 'public' and p.tablename = c.relname and p.cmd = command.name
        ) <> case command.name
          when 'DELETE' then has_table_privilege('authenticated', c.oid, 'DELETE')
          else has_any_column_privilege('authenticated', c.oid, command.name)
        end`);
    expect(mismatched).toEqual([]);
  });

  test('never include truncate, trigger or references', async () => {
    const granted = await names(`
      select grantee || ' ' || privilege_type || ' ' || table_name as name
      from information_schema.table_privileges
      where table_schema in ('public', 'private') and grantee in ('anon', 'authenticated')
        and privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`);
    expect(granted).toEqual([]);
  });
});

describe('functions', () => {
  test('with security definer have an empty search path', async () => {
    const loose = await names(`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and p.prosecdef
        and not coalesce('search_path=""' = any (p.proconfig), false)`);
    expect(loose).toEqual([]);
  });
});

describe('indexes', () => {
  test('start with the columns of every foreign key', async () => {
    const without = await names(`
      select c.conrelid::regclass || ' ' || c.conname as name from pg_constraint c
      where c.contype = 'f' and c.connamespace = 'public'::regnamespace
        and not exists (
          select from pg_index i
          where i.indrelid = c.conrelid and (
            (string_to_array(i.indkey::text, ' ')::int2[])[1:cardinality(c.conkey)] = c.conkey
          ) and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ 'IS NOT NULL')
        )`);
    expect(without).toEqual([]);
  });

  test('start with every column that a policy filters by', async () => {
    const without = await names(`
      select distinct a.attrelid::regclass || '.' || a.attname as name
      from pg_policy p
      join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid
        and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0
      join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace
      where p.polcmd <> 'a'
        and not exists (
          select from pg_index i where i.indrelid = a.attrelid and i.indkey[0] = a.attnum
            and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ 'IS NOT NULL')
        )`);
    expect(without).toEqual([]);
  });
});

describe('every table', () => {
  test('is in the permission matrix, and the matrix names no other', async () => {
    const known = await names(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
    expect(known.sort()).toEqual(Object.keys(tables).sort());
  });

  test('has a uuid id that clients may choose', async () => {
    const odd = await names(`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'id' and data_type <> 'uuid'
      union all
      select relname from pg_class c
      where relnamespace = 'public'::regnamespace and relkind = 'r'
        and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'id')`);
    expect(odd).toEqual([]);
  });

  test('except the audit log itself is audited', async () => {
    const without = await names(`
      select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and (
        select count(*) from pg_trigger t
        where t.tgrelid = c.oid and t.tgfoid = 'private.record_history()'::regprocedure
      ) <> 3`);
    expect(without).toEqual(['audit_log']);
  });

  test('with a live list is in the publication', async () => {
    const published = await names(
      `select tablename as name from pg_publication_tables where pubname = 'supabase_realtime'`,
    );
    const live = [
      'deployments',
      'clients',
      'financial_statements',
      'expense_reports',
      'bank_accounts',
      'loans',
      'shifts',
      'assignments',
      'attendance',
      'incidents',
      'incident_updates',
      'report_notes',
      'evidence',
      'leave_requests',
    ];
    expect(published).toEqual(expect.arrayContaining(live));
    expect(published).not.toContain('audit_log');
  });
});

describe('a table in the publication', () => {
  test('has a replica identity with the columns that its policies need', async () => {
    const missing = await names(`
      select distinct format('%s.%s', c.relname, a.attname) as name
      from pg_publication_tables p
      join pg_class c on c.oid = format('%I.%I', p.schemaname, p.tablename)::regclass
      join pg_policy o on o.polrelid = c.oid and o.polcmd in ('r', '*')
      join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = o.oid
        and d.refclassid = 'pg_class'::regclass and d.refobjid = c.oid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
      left join pg_index i on i.indrelid = c.oid
        and case c.relreplident when 'd' then i.indisprimary when 'i' then i.indisreplident end
      where p.pubname = 'supabase_realtime' and c.relreplident <> 'f'
        and (i.indkey is null or a.attnum <> all (i.indkey))`);
    expect(missing).toEqual([]);
  });
});
