// supabase/schemas is what people read, supabase/migrations what databases run: both make one catalogue.
import { existsSync } from 'node:fs';
import { binariesIn } from 'supabase-in-node/postgres-programs';
import { splitStatements } from 'supabase-in-node/sql-text';
import {
  startTemporaryDatabase,
  type TemporaryDatabase,
} from 'supabase-in-node/temporary-database';
import { withClient } from 'supabase-in-node/with-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Entry, readEntries } from '#scripts/schema/catalogue.ts';
import { loadDeclared, loadMigrated } from '#scripts/schema/databases.ts';
import { compare, draftMigration } from '#scripts/schema/draft.ts';

/** The oldest version that a database may have, where Debian's package is installed. */
const DEBIAN_15 = '/usr/lib/postgresql/15/bin';

test.runIf(existsSync(DEBIAN_15))(
  'schemas and migrations agree on PostgreSQL 15',
  async () => {
    const binaries = await binariesIn(DEBIAN_15);
    const [{ entries }, migrated] = await Promise.all([
      loadDeclared({ binaries }),
      loadMigrated({ binaries }),
    ]);
    expect(compare(migrated, entries)).toEqual([]);
    // Some escapes of later versions are plain letters there, which texts would lose at their ends.
    const trimming = entries.filter(({ name }) => name.startsWith('private.tidy_'));
    expect(trimming.length).toBeGreaterThan(50);
    expect(trimming.filter(({ definition }) => definition.includes('\fv'))).toEqual([]);
  },
  300_000,
);

/** What a developer changes, as SQL on the declared schema. */
const CHANGES: [change: string, sql: string][] = [
  [
    'a new column with a check',
    `alter table public.sites add column gate_code text check (char_length(gate_code) <= 20)`,
  ],
  [
    'a new table with rights, a policy and a trigger',
    `
     create table public.site_keys (id uuid primary key default gen_random_uuid(),
       site_id uuid not null references public.sites on delete cascade, label text not null check (label <> ''));
     create index site_keys_site on public.site_keys (site_id);
     alter table public.site_keys enable row level security;
     grant select, insert (site_id, label) on public.site_keys to authenticated;
     create policy "Admins read keys" on public.site_keys for select to authenticated using ((select private.has_role('admin')));
     create trigger d_touch before update on public.site_keys for each row execute function private.touch();
     comment on column public.site_keys.label is 'As it is written on the key';
     alter publication supabase_realtime add table public.site_keys`,
  ],
  [
    'another body, result and right of a function',
    `
     create or replace function private.company_date() returns date language sql stable set search_path = '' as 'select current_date';
     grant execute on function private.company_date() to anon`,
  ],
  [
    'an index, a constraint and a trigger that go',
    `
     drop index public.shifts_long_idx;
     alter table public.shifts drop constraint shifts_end_after_start;
     drop trigger d_touch on public.shifts`,
  ],
  [
    'rights of everyone, to a table and to a schema',
    `grant select on public.sites to public; grant usage on schema private to public; revoke usage on schema private from anon`,
  ],
  [
    'a policy that says something else',
    `
     drop policy "Planners add shifts" on public.shifts;
     create policy "Planners add shifts" on public.shifts for insert to authenticated with check (false)`,
  ],
  [
    'another limit of a column',
    `
     alter table public.shifts drop constraint shifts_notes_check;
     alter table public.shifts add constraint shifts_notes_check check (char_length(notes) <= 10)`,
  ],
  [
    'another type, default and null of a column',
    `
     alter table public.profiles alter column home_area type varchar(300), alter column home_area set default 'Monrovia',
       alter column created_at drop not null`,
  ],
  [
    'other rows of the schema',
    `update private.personal_data set newest = '2' where target = 'public.incident_notes'`,
  ],
];

test('default rights are part of the catalogue', async () => {
  const { connection, stop } = await startTemporaryDatabase({ projectDir: '.' });
  try {
    await withClient(connection, async (client) => {
      const before = await readEntries(client);
      await client.query('alter default privileges grant execute on functions to public');
      await client.query(
        'alter default privileges in schema public grant select on tables to anon',
      );
      expect(compare(before, await readEntries(client))).toHaveLength(2);
    });
  } finally {
    await stop();
  }
});

describe('the draft of a step', () => {
  let database: TemporaryDatabase;
  beforeAll(async () => {
    database = await startTemporaryDatabase({ projectDir: '.' });
  });
  afterAll(() => database.stop());

  test.each(CHANGES)('makes %s', (_change, sql) =>
    withClient(database.connection, async (client) => {
      const made = async (statements: string[]): Promise<Entry[]> => {
        await client.query('begin');
        for (const statement of statements) await client.query(statement);
        const entries = await readEntries(client);
        await client.query('rollback');
        return entries;
      };
      const before = await made([]);
      const after = await made([sql]);
      const differences = compare(before, after);
      expect(differences).not.toEqual([]);
      const draft = splitStatements(draftMigration(differences));
      expect(compare(await made(draft), after)).toEqual([]);
    }),
  );
});
