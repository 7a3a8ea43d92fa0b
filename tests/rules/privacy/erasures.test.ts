// An erasure changes what is linked to the person, with hostile names and numbers too, shows it before, and when it fails
// it says so and holds up no other.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, bystander, guardHere, hr } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const SITE = 'Stadium of Paynesville';
const CLIENT = 'Sinkor Trading Company';

/** Names that are also something else, or that a pattern could take for something else. */
const HOSTILE = [
  CLIENT,
  SITE,
  'Statesman Security Services',
  'A',
  '1',
  '0000001',
  '12 34',
  '%',
  '_ _',
  '% %',
  '.* .*',
  '[a-z]+ [a-z]+',
  '(',
  'a|b c|d',
  '\\1 \\2',
  'Will',
  'Post',
];

const HOSTILE_NUMBERS = [
  '0000001',
  '000-000-0000',
  '2310000001',
  '+231 000 0000',
  '123456',
  '......',
  '%%%%%%%',
  '.*.*.*.*',
  'SAVINGS',
];

/** Each row of every table that no erasure is about, as one text by table. */
const ELSEWHERE = `
  create or replace function pg_temp.elsewhere() returns table (place text, content text) language plpgsql as $$
  begin
    for place in
      select format('%I.%I', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'private', 'auth', 'storage')
        and format('%I.%I', n.nspname, c.relname) not in ('private.erasures', 'auth.audit_log_entries', 'public.audit_log',
          'public.contact_messages', 'public.client_contacts', 'private.enquiry_mails', 'private.jobs')
      order by 1
    loop
      execute format('select md5(coalesce(string_agg(r::text, chr(10) order by r::text), '''')) from %s r', place) into content;
      return next;
    end loop;
  end $$`;

const elsewhere = async (client: PoolClient) =>
  (await client.query('select * from pg_temp.elsewhere()')).rows;

const sweep = async (client: PoolClient) => {
  for (let step = 0; step < 20; step += 1) {
    await client.query('select private.continue_erasures()');
  }
};

const actAsAdmin = (client: PoolClient) =>
  client.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(admin.claims)]);

/** Texts that a careless pattern would change, in records of many kinds. */
const prepare = async (client: PoolClient) => {
  await client.query(`
    update private.settings set own_words = array['Statesman Security Services', '+231 77 012 3456'];
    update clients set name = '${CLIENT}' where id = (select id from clients order by name limit 1);
    update sites set name = '${SITE}' where id = (select id from sites order by name limit 1);
    update room_notes set body = 'Will A. and B. post 1 man at ${SITE} for ${CLIENT}; call +231 77 012 3456 or 1234567.';
    update client_requests set body = 'Post 1 guard. We will pay ${CLIENT}. Statesman Security Services, a|b c|d'`);
  await client.query(ELSEWHERE);
  await actAsAdmin(client);
};

describe('an enquirer', () => {
  test.each(HOSTILE)('named %j is erased, and no other record changes', (name) =>
    rolledBack(database.owner, async (client) => {
      await prepare(client);
      const { rows } = await client.query(
        `insert into contact_messages (name, email, message, company)
         values ($1, 'visitor@mail.example', 'Please call me back.', $1) returning id`,
        [name.length < 2 ? `${name}.` : name],
      );
      const before = await elsewhere(client);
      await client.query(
        'select erase_enquirer($1, (select name from contact_messages where id = $1))',
        [rows[0].id],
      );
      await sweep(client);
      expect(await elsewhere(client)).toEqual(before);
      const left = await client.query(
        'select count(*)::int as open from private.erasures where finished_at is null',
      );
      expect(left.rows).toEqual([{ open: 0 }]);
    }),
  );
});

describe('a contact', () => {
  const erased = async (client: PoolClient, name: string, phone: string) => {
    const { rows } = await client.query<{ id: string }>(
      `insert into client_contacts (client_id, full_name, email, phone)
       select client_id, $1, 'c@hostile.example', $2 from client_requests limit 1 returning id`,
      [name, phone],
    );
    const before = await elsewhere(client);
    const id = rows[0]?.id;
    const preview = await client.query(`select * from erasure_changes('contact', $1)`, [id]);
    await client.query('select erase_contact($1, $2)', [id, name]);
    await sweep(client);
    expect(await elsewhere(client)).toEqual(before);
    const { rows: state } = await client.query(
      `select finished_at is not null as finished, failures from private.erasures order by number desc limit 1`,
    );
    expect(state).toEqual([{ finished: true, failures: {} }]);
    return preview.rows.filter(({ change }) => change === 'refused').map(({ reason }) => reason);
  };

  test.each(HOSTILE)(
    'named %j is erased, the name stays in texts, and the preview says so',
    (name) =>
      rolledBack(database.owner, async (client) => {
        await prepare(client);
        expect(await erased(client, name, '0770 123 123')).toEqual([
          expect.stringMatching(/^The name stays in texts/),
        ]);
      }),
  );

  test.each(HOSTILE_NUMBERS)(
    'with the number %j is erased, and the number is no pattern',
    (phone) =>
      rolledBack(database.owner, async (client) => {
        await prepare(client);
        expect(await erased(client, 'Korto Massaquoi', phone)).toEqual([
          expect.stringMatching(/^A number stays in texts/),
        ]);
        // Exports and retention read these.
        await become(client, admin);
        expect(await attempt(client, () => client.query('select export_person($1)', [hr.id]))).toBe(
          undefined,
        );
        expect(
          await attempt(client, () => client.query('select * from retention_overview()')),
        ).toBe(undefined);
      }),
  );

  test('whose number the company or a colleague has keeps theirs', () =>
    rolledBack(database.owner, async (client) => {
      await prepare(client);
      await client.query(
        `update staff set phone = '0886 555 444' where user_id = '${bystander.id}'`,
      );
      for (const phone of ['0770123456', '231886555444']) {
        const [reason] = await erased(client, 'Korto Massaquoi', phone);
        expect(reason).toMatch(
          /^A number stays in texts: (the company|another person) has it as well\.$/,
        );
      }
    }));
});

const LEAVE = `
  set local session_replication_role = replica;
  update pay_runs set status = 'locked';
  update payments set status = 'paid', paid_on = '2026-10-01', payment_file_id = gen_random_uuid(), line = 1,
    account_name = 'X', account_number = 'X', channel = 'mtn_momo';
  update timesheets set status = 'locked';
  update timesheet_disputes set status = 'answered', answer = 'Yes';
  update pay_adjustments set status = 'approved';
  update incidents set status = 'closed';
  update profiles set left_on = private.company_date() - 1, full_name = 'Korto Massaquoi', phone = '+231770918273'
  where id = '${guardHere.id}';
  update staff set status = 'inactive', end_date = private.company_date() - 1, full_name = 'Korto Massaquoi'
  where user_id = '${guardHere.id}';
  update invoices set note = 'Korto Massaquoi, 0770918273', bill_to = '{"name": "Korto Massaquoi"}';
  update incident_letters set summary = 'Korto Massaquoi found the gate open at night.';
  update payslip_lines set label = 'Korto Massaquoi', explanation = 'Call 0770918273';
  update incidents set description = 'Korto Massaquoi called 0770-918-273 and 0770918273.50 was paid.'
  where raised_by_user_id = '${guardHere.id}';
  set local session_replication_role = origin`;

test('invoices, letters and payslips stay; the preview counts what changes, and it changes', () =>
  rolledBack(database.owner, async (client) => {
    await prepare(client);
    await client.query(LEAVE);
    const ISSUED = `select (select jsonb_agg(to_jsonb(i)) from invoices i) as invoices,
      (select jsonb_agg(to_jsonb(i)) from incident_letters i) as letters,
      (select jsonb_agg(to_jsonb(i)) from payslip_lines i) as lines, (select jsonb_agg(to_jsonb(i)) from payslips i) as slips`;
    const issued = (await client.query(ISSUED)).rows;
    const preview = await client.query(
      `select record, sum(records)::int as records from erasure_changes('person', $1)
       where change = 'replaced' and record = 'incidents' group by record`,
      [guardHere.id],
    );
    const mine = await client.query<{ count: number }>(
      'select count(*)::int from incidents where raised_by_user_id = $1',
      [guardHere.id],
    );
    expect(preview.rows).toEqual([{ record: 'incidents', records: mine.rows[0]?.count }]);
    expect(mine.rows[0]?.count).toBeGreaterThan(0);
    await client.query('select erase_person($1, $2)', [guardHere.id, 'Korto Massaquoi']);
    await sweep(client);
    expect((await client.query(ISSUED)).rows).toEqual(issued);
    const { rows } = await client.query(
      'select distinct description from incidents where raised_by_user_id = $1',
      [guardHere.id],
    );
    // An amount is no phone number.
    expect(rows).toEqual([
      {
        description: expect.stringMatching(
          /^Former guard \d{4} called erased and 0770918273\.50 was paid\.$/,
        ),
      },
    ]);
  }));

test('one that fails is reported to admins, tried again, and holds up no other', () =>
  rolledBack(database.owner, async (client) => {
    await prepare(client);
    await client.query(LEAVE);
    await client.query('select erase_person($1, $2)', [guardHere.id, 'Korto Massaquoi']);
    await client.query(`
      create function pg_temp.refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$;
      create trigger zz before update on incidents for each row execute function pg_temp.refuse();
      alter table incidents enable always trigger zz;
      insert into client_contacts (client_id, full_name, email) select id, 'Hawa Sirleaf', 'h@s.example' from clients limit 1`);
    await client.query(
      `select erase_contact(id, full_name) from client_contacts where full_name = 'Hawa Sirleaf'`,
    );
    await sweep(client);
    await become(client, admin);
    const overview = async () =>
      (
        await client.query(
          'select kind, finished_at is not null as done, failures from erasure_overview()',
        )
      ).rows;
    expect(await overview()).toEqual([
      { kind: 'person', done: false, failures: { 'public.incidents': 'the disk is full' } },
      { kind: 'contact', done: true, failures: {} },
    ]);
    const { rows: events } = await client.query(
      `select count(*)::int as events from security_events where action = 'erasure_failed'`,
    );
    expect(events).toEqual([{ events: 1 }]);
    await client.query('reset role');
    await client.query(`drop trigger zz on incidents; update private.erasures set next_at = now()`);
    await sweep(client);
    await become(client, admin);
    expect(await overview()).toMatchObject([{ done: true, failures: {} }, { done: true }]);
    await become(client, hr);
    for (const sql of [
      'select * from erasure_overview()',
      `select * from erasure_changes('person', '${guardHere.id}')`,
    ]) {
      expect(await attempt(client, () => client.query(sql))).toBe('42501');
    }
  }));
