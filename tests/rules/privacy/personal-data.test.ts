// Export and erasure of one person's data. The books stay whole, and nothing of the person is left in their records.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { actAs } from '#tests/support/acting.ts';
import {
  admin,
  bystander,
  contactHere,
  dispatcher,
  finance,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  type Person,
} from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, attempt, become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

/** Columns beside the one by which private.personal_data finds the rows of a person. */
const SECOND_COLUMNS = ['payslips.user_id', 'pay_adjustments.staff_id', 'staff.user_id'];

interface Exported {
  tables: Record<string, Record<string, unknown>[]>;
  cut: string[];
}

const exportOf = async (caller: Person, person?: Person): Promise<Exported> => {
  const rows = await asPerson<{ data: Exported }>(
    database.owner,
    caller,
    'select export_person($1) as data',
    [person?.id ?? null],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('nothing was exported');
  return row.data;
};

describe('the list of personal data', () => {
  test('names every table with an account or a staff record as its subject', async () => {
    const { rows } = await database.owner.query<{ place: string }>(`
      select format('%s.%s', c.conrelid::regclass, a.attname) as place
      from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid in ('profiles'::regclass, 'staff'::regclass, 'auth.users'::regclass)
        and a.attname in ('user_id', 'staff_id', 'guard_id', 'raised_by_user_id')
        and not exists (
          select from private.personal_data p
          where to_regclass(p.target) = c.conrelid and p.belongs ~ ('r\\.' || a.attname || ' = \\$[12]')
        )`);
    expect(
      rows.map(({ place }) => place).filter((place) => !SECOND_COLUMNS.includes(place)),
    ).toEqual([]);
  });

  test('names tables and columns that exist', () =>
    rolledBack(database.owner, async (client) => {
      const { rows } = await client.query<{ target: string; belongs: string; columns: string }>(
        `select target, belongs, array_to_string(blanked || texts || coalesce(withheld, '{}'), ',') as columns from private.personal_data`,
      );
      for (const { target, belongs, columns } of rows) {
        await client.query(
          `select ${columns === '' ? 'true' : columns} from ${target} r where ${belongs
            .replaceAll('$1', `'${guardHere.id}'::uuid`)
            .replaceAll('$2', 'null::uuid')} limit 1`,
        );
      }
    }));
});

describe('an export', () => {
  test('has the records of the caller and of nobody else', async () => {
    const { tables, cut } = await exportOf(guardHere);
    expect(Object.keys(tables)).toEqual(
      expect.arrayContaining([
        'profiles',
        'assignments',
        'attendance',
        'payslips',
        'staff',
        'notices',
      ]),
    );
    expect(cut).toEqual([]);
    const text = JSON.stringify(tables);
    for (const other of [guardElsewhere, bystander, hr]) expect(text).not.toContain(other.id);
    expect(text).not.toMatch(/"(hash|photo|secret|encrypted_password|pin_hash)"/);
  });

  test('of another person is for people managers, and without pay for hr', async () => {
    expect(Object.keys((await exportOf(admin, guardHere)).tables)).toContain('payslips');
    const forHr = Object.keys((await exportOf(hr, guardHere)).tables);
    expect(forHr).toContain('attendance');
    for (const table of [
      'staff',
      'payslips',
      'payslip_lines',
      'payroll',
      'pay_accounts',
      'payments',
    ]) {
      expect(forHr).not.toContain(table);
    }
    for (const caller of [guardElsewhere, dispatcher, finance, contactHere]) {
      await expect(exportOf(caller, guardHere)).rejects.toMatchObject({ code: '42501' });
    }
    // The office hands a contact of a client their data.
    await expect(exportOf(contactHere)).rejects.toMatchObject({ code: '42501' });
    expect(Object.keys((await exportOf(admin, contactHere)).tables)).toContain('client_contacts');
  });

  test('is made five times in an hour, and of another person leaves a trace', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, admin);
      for (let made = 0; made < 5; made += 1) {
        await client.query('select export_person($1)', [guardHere.id]);
      }
      expect(
        await attempt(client, () => client.query('select export_person($1)', [guardHere.id])),
      ).toBe('PT429');
      const { rows } = await client.query(
        `select details ->> 'user_id' as person from security_events where action = 'data_exported'`,
      );
      expect(rows).toHaveLength(5);
      expect(rows[0]).toEqual({ person: guardHere.id });
    }));
});

const NAME = 'Musu K. Flomo-Zaza';
const EMAIL = 'musu.zaza@guards.example';
const PHONE = '+231770918273';
const TRACES = 'zaza|0?770[ -]?918[ -]?273';

/** Columns of text and JSON that contain a trace of the person. */
const SCAN = `
  create function pg_temp.traces(pattern text) returns setof text language plpgsql as $$
  declare
    place record;
    hits bigint;
  begin
    for place in
      select n.nspname, c.relname, a.attname from pg_attribute a
      join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
        and n.nspname !~ '^(pg_|information_schema)' and n.nspname not in ('supabase_migrations', 'platform')
        and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text[]'::regtype,
          'varchar[]'::regtype, 'name'::regtype)
    loop
      execute format('select count(*) from %I.%I where %I::text ~* $1', place.nspname, place.relname, place.attname)
        into hits using pattern;
      if hits > 0 then
        return next format('%s.%s.%s', place.nspname, place.relname, place.attname);
      end if;
    end loop;
  end $$`;

/** Every figure of the books: rows without their texts. */
const BOOKS = `select jsonb_build_object(${[
  'payroll',
  'payslips',
  'payslip_lines',
  'payments',
  'payment_files',
  'staff_ledger',
  'pay_runs',
  'invoices',
  'invoice_lines',
  'billed_time',
  'receipts',
  'timesheets',
  'timesheet_days',
  'time_segments',
  'shifts',
]
  .map(
    (table) => `'${table}', (select jsonb_agg(to_jsonb(r)
      - '{content,account_name,account_number,notes,note,explanation,label,description,updated_at,explanations,calculation}'::text[]
      order by r.id) from ${table} r)`,
  )
  .join(', ')},
  'attendance', (select jsonb_agg(jsonb_build_array(r.id, r.clock_in_at, r.clock_out_at, r.late_minutes, r.flags) order by r.id) from attendance r)
) as books`;

/** Gives the guard a name of their own, in many places, and ends the employment with everything settled. */
const LEAVE = `
  update auth.users set email = '${EMAIL}', phone = '231770918273', raw_user_meta_data = '{"full_name": "${NAME}"}'
  where id = '${guardHere.id}';
  update profiles set home_area = 'ELWA Junction', gender = 'female', home_position = '6.3,-10.8' where id = '${guardHere.id}';
  update staff set full_name = '${NAME}', email = '${EMAIL}', phone = '0770 918 273' where user_id = '${guardHere.id}';
  insert into deployments (guard_name, guard_id, location, shift_start, shift_end, notes)
    values ('${NAME}', '${guardHere.id}', 'Gate', now(), now() + interval '1 hour', 'Call musu k.  flomo-zaza at 0770-918-273 or ${EMAIL}.');
  update incidents set status = 'closed';
  update incidents set description = 'The guard MUSU K. FLOMO-ZAZA saw a broken fence at the gate.'
  where raised_by_user_id = '${guardHere.id}';
  insert into notices (user_id, kind, title) values ('${hr.id}', 'roster', '${NAME} has left');
  set local session_replication_role = replica;
  update payment_files set content = E'1,${NAME},${PHONE},150.00\\n';
  update payments set status = 'paid', paid_on = '2026-10-01', payment_file_id = gen_random_uuid(), line = 1,
    account_name = '${NAME}', account_number = '${PHONE}', channel = 'mtn_momo';
  update pay_runs set status = 'locked';
  update timesheets set status = 'locked';
  update timesheet_disputes set status = 'answered', answer = 'Yes';
  update pay_adjustments set status = 'approved';
  insert into incident_letters (incident_id, version, addressee, subject, summary, signatory, facts)
    select id, 9, 'The client', 'Broken fence', 'The fence was broken at night.', 'Operations', '{"by": "${NAME}"}'
    from incidents limit 1;
  insert into storage.objects (bucket_id, name, version) values ('people', '${guardHere.id}/Zaza-contract.pdf', gen_random_uuid()::text);
  set local session_replication_role = origin;
  update profiles set photo_path = '00000000-0000-4000-8000-00000000face.jpg' where id = '${guardHere.id}';
  insert into storage.objects (bucket_id, name, version) values ('photos', '00000000-0000-4000-8000-00000000face.jpg', gen_random_uuid()::text);
  update profiles set left_on = private.company_date() - 1 where id = '${guardHere.id}';
  update staff set status = 'inactive', end_date = private.company_date() - 1 where user_id = '${guardHere.id}'`;

const sweep = `do $$ begin
  for i in 1 .. 1000 loop
    perform private.continue_erasures();
    exit when not exists (select from private.erasures where finished_at is null);
  end loop;
end $$`;

describe('an erasure', () => {
  test('leaves nothing of the person in their records; the books and what was issued stay', () =>
    rolledBack(database.owner, async (client) => {
      await client.query(LEAVE);
      await client.query(SCAN);
      const traces = async () =>
        (await client.query<{ traces: string }>('select pg_temp.traces($1)', [TRACES])).rows.map(
          (row) => row.traces,
        );
      expect(await traces()).toEqual(
        expect.arrayContaining([
          'auth.users.email',
          'public.audit_log.new_values',
          'public.deployments.notes',
          'public.payment_files.content',
          'public.payments.account_number',
          'public.incident_letters.facts',
          'public.notices.title',
          'storage.objects.name',
        ]),
      );
      const before = (await client.query(BOOKS)).rows;
      const claims = JSON.stringify(admin.claims);
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [claims]);
      const { rows } = await client.query<{ alias: string }>(
        'select erase_person($1, $2) as alias',
        [guardHere.id, ` ${NAME.toLowerCase()} `],
      );
      expect(rows[0]?.alias).toMatch(/^Former guard \d{4}$/);
      await client.query(sweep);
      // A letter, a file that the bank has, and another person's notice until its period ends.
      expect((await traces()).sort()).toEqual([
        'public.audit_log.new_values',
        'public.incident_letters.facts',
        'public.notices.title',
        'public.payment_files.content',
      ]);
      const copies = await client.query(
        `select distinct table_name from audit_log where concat(old_values, new_values) ~* $1`,
        [TRACES],
      );
      expect(copies.rows).toEqual([{ table_name: 'notices' }]);
      expect((await client.query(BOOKS)).rows).toEqual(before);
      const left = await client.query(
        `select p.full_name, p.email, p.phone, p.home_area, p.home_position, p.gender, u.email as login, u.deleted_at is not null as gone,
           (select count(*)::int from auth.identities i where i.user_id = p.id) as identities,
           (select count(*)::int from storage.objects o where o.bucket_id in ('people', 'photos')) as documents,
           (select count(*)::int from attendance r where r.user_id = p.id and r.clock_in_gps is not null) as positions,
           (select content from payment_files limit 1) as file
         from profiles p join auth.users u on u.id = p.id where p.id = $1`,
        [guardHere.id],
      );
      const alias = rows[0]?.alias;
      expect(left.rows).toEqual([
        {
          full_name: alias,
          email: null,
          phone: null,
          home_area: null,
          home_position: null,
          gender: null,
          login: null,
          gone: true,
          identities: 0,
          documents: 0,
          positions: 0,
          file: `1,${NAME},${PHONE},150.00\n`,
        },
      ]);
      const event = await client.query(
        `select payload ->> 'actor_id' as by from auth.audit_log_entries where payload ->> 'action' = 'person_erased'`,
      );
      expect(event.rows).toEqual([{ by: admin.id }]);
    }));

  test('is refused while something is open, with other words, twice, and to others than admins', () =>
    rolledBack(database.owner, async (client) => {
      const erase = (name: string) => () =>
        client.query('select erase_person($1, $2)', [guardHere.id, name]);
      await become(client, admin);
      const preview = async () =>
        (await client.query('select * from erasure_preview($1)', [guardHere.id])).rows[0];
      expect((await preview()).obstacles).toEqual(
        expect.arrayContaining(['The employment has not ended.', 'Pay is not settled.']),
      );
      const [{ name = '' } = {}] = (
        await client.query<{ name: string }>(
          'select full_name as name from profiles where id = $1',
          [guardHere.id],
        )
      ).rows;
      expect(await attempt(client, erase(name))).toBe('PT409');
      await client.query('reset role');
      await client.query(LEAVE);
      for (const caller of [hr, guardHere, finance, newcomer]) {
        await become(client, caller);
        expect(await attempt(client, erase(NAME))).toBe('42501');
        expect(
          await attempt(client, () =>
            client.query('select * from erasure_preview($1)', [guardHere.id]),
          ),
        ).toBe('42501');
      }
      await become(client, admin);
      expect((await preview()).obstacles).toEqual([]);
      expect(await attempt(client, erase('Somebody Else'))).toBe('23514');
      expect(await attempt(client, erase(NAME))).toBeUndefined();
      expect(await attempt(client, erase('Former guard 0001'))).toBe('PT409');
    }));

  test('leaves a namesake alone, and their texts', () =>
    rolledBack(database.owner, async (client) => {
      await client.query(LEAVE);
      await client.query(`
        update profiles set full_name = '${NAME}' where id = '${bystander.id}';
        insert into room_notes (body) values ('${NAME} is sick today.');
        insert into alerts (cause, kind, user_id, site_id, detail, raised_at)
          select 'test:1', 'missing', '${guardHere.id}', id, '${NAME} is late.', now() from sites limit 1`);
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(admin.claims),
      ]);
      await client.query('select erase_person($1, $2)', [guardHere.id, NAME]);
      await client.query(sweep);
      const { rows } = await client.query(
        `select (select full_name from profiles where id = $1) as namesake, (select body from room_notes where body like '%sick%') as note,
           (select detail like 'Former guard%' from alerts where cause = 'test:1') as linked`,
        [bystander.id],
      );
      expect(rows).toEqual([{ namesake: NAME, note: `${NAME} is sick today.`, linked: true }]);
    }));

  test('of a contact ends the access and keeps what was agreed', () =>
    rolledBack(database.owner, async (client) => {
      await client.query(`set local session_replication_role = replica;
        update client_contacts set full_name = '${NAME}', email = '${EMAIL}', phone = '${PHONE}' where user_id = '${contactHere.id}';
        update clients set report_email = '${EMAIL}' where id in (select client_id from client_contacts where user_id = '${contactHere.id}');
        update auth.users set email = '${EMAIL}' where id = '${contactHere.id}';
        update profiles set full_name = '${NAME}', email = '${EMAIL}' where id = '${contactHere.id}';
        set local session_replication_role = origin`);
      await client.query(SCAN);
      const counts = `select (select count(*)::int from client_requests) as requests,
        (select count(*)::int from letter_acknowledgements) as acknowledgements`;
      const before = (await client.query(counts)).rows;
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(admin.claims),
      ]);
      await client.query(
        'select erase_contact(c.id, $2) from client_contacts c where c.user_id = $1',
        [contactHere.id, NAME],
      );
      await client.query(sweep);
      expect((await client.query('select pg_temp.traces($1)', [TRACES])).rows).toEqual([]);
      expect((await client.query(counts)).rows).toEqual(before);
      await become(client, contactHere);
      expect((await client.query('select * from client_places()')).rows).toEqual([]);
    }));

  test('of an enquirer deletes all their enquiries', () =>
    rolledBack(database.owner, async (client) => {
      await client.query(`
        insert into contact_messages (name, email, message) values ('${NAME}', '${EMAIL}', 'Please call me back.'),
          ('Musu', '${EMAIL.toUpperCase()}', 'Please do call me back.'), ('Other', 'o@x.example', 'Please call me back.');
        insert into room_notes (body) values ('Called ${NAME}.')`);
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(admin.claims),
      ]);
      const { rows } = await client.query(
        'select erase_enquirer(m.id, $1) as enquiries from contact_messages m where m.name = $1',
        [NAME],
      );
      expect(rows).toEqual([{ enquiries: 2 }]);
      await client.query(sweep);
      const left = await client.query(
        `select (select array_agg(name) from contact_messages where name in ('Other', 'Musu', $1)) as enquiries,
           (select body from room_notes where body like 'Called %') as note,
           (select count(*)::int from audit_log a where a.table_name = 'contact_messages'
             and concat(a.old_values, a.new_values) ~ 'Musu') as copies`,
        [NAME],
      );
      // Nothing says that the note is about the enquirer.
      expect(left.rows).toEqual([{ enquiries: ['Other'], note: `Called ${NAME}.`, copies: 0 }]);
    }));

  test('goes on after a server that stopped, by one server at a time', async () => {
    await actAs(database.owner, { claims: admin.claims }, async (client) => {
      await client.query('reset role');
      await client.query(
        `insert into client_contacts (client_id, full_name, email)
         select id, '${NAME}', '${EMAIL}' from clients limit 1`,
      );
      await client.query(
        `select erase_contact(c.id, $1) from client_contacts c where c.full_name = $1`,
        [NAME],
      );
    });
    const [first, second] = [await database.owner.connect(), await database.owner.connect()];
    const place = `select at_table, finished_at is null as open from private.erasures order by number desc limit 1`;
    try {
      await first.query('begin');
      await first.query('select private.continue_erasures()');
      await second.query('begin');
      await second.query(`set local lock_timeout = '1s'`);
      await second.query('select private.continue_erasures()');
      expect((await second.query(place)).rows).toEqual([{ at_table: '', open: true }]);
    } finally {
      // As when its server is killed.
      await first.query('rollback');
      await second.query('rollback');
      first.release();
      second.release();
    }
    await database.owner.query(sweep);
    expect((await database.owner.query(place)).rows).toMatchObject([{ open: false }]);
  });
});
