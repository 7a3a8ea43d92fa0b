// What an erasure replaces, and where: internal notes and addresses too, and once only.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { admin, guardHere } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

const sweep = async (client: PoolClient) => {
  for (let step = 0; step < 20; step += 1) {
    await client.query('select private.continue_erasures()');
  }
};

const actAsAdmin = (client: PoolClient) =>
  client.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(admin.claims)]);

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
  set local session_replication_role = origin`;

test('a contact who was erased is not erased again', () =>
  rolledBack(database.owner, async (client) => {
    await actAsAdmin(client);
    const { rows } = await client.query<{ id: string }>(
      `insert into client_contacts (client_id, full_name, email) select id, 'Hawa Sirleaf', 'h@s.example' from clients
       limit 1 returning id`,
    );
    const id = rows[0]?.id;
    const ERASE = 'select erase_contact(id, full_name) from client_contacts where id = $1';
    await client.query(ERASE, [id]);
    expect(await attempt(client, () => client.query(ERASE, [id]))).toBe('PT409');
  }));

test.each([
  ['Mail guard507@statesman.example.', true],
  ['<Guard507@Statesman.example>, and others', true],
  ['guard507@statesman.example.lr', false],
  ['guard507@statesman.example-lr.com', false],
  ['guard507@statesman.example_2', false],
  ['my.guard507@statesman.example', false],
])('the address guard507@statesman.example in %j is found: %s', async (written, isFound) => {
  const { rows } = await database.owner.query(
    `select $1 ~* private.email_pattern('guard507@statesman.example') as found`,
    [written],
  );
  expect(rows).toEqual([{ found: isFound }]);
});

test('notes on the person’s incidents and pay lose name, numbers and account; the preview lists them', () =>
  rolledBack(database.owner, async (client) => {
    await actAsAdmin(client);
    await client.query(LEAVE);
    const WRITTEN = 'Korto Massaquoi, 0770918273, pays into 4455667788.';
    // A note is moved to a table of its own.
    const { rows: noted } = await client.query<{ id: string }>(
      `update incidents set notes = $2 where raised_by_user_id = $1 returning id`,
      [guardHere.id, WRITTEN],
    );
    expect(noted.length).toBeGreaterThan(0);
    await client.query('set local session_replication_role = replica');
    await client.query(
      `insert into pay_accounts (staff_id, channel, account_name, account_number, bank_name)
       select id, 'bank', 'Korto Massaquoi', '4455667788', 'Ecobank' from staff where user_id = $1`,
      [guardHere.id],
    );
    await client.query(
      `insert into payroll (staff_id, period_start, period_end, base_amount, net_amount, notes, returned_on, return_reason)
       select id, '2019-01-01', '2019-01-31', 1, 1, $2, '2019-02-02', $2 from staff where user_id = $1`,
      [guardHere.id, WRITTEN],
    );
    await client.query('set local session_replication_role = origin');
    const preview = await client.query(
      `select record, sum(records)::int as records from erasure_changes('person', $1)
       where change = 'replaced' and record in ('incident_notes', 'payroll') group by record order by record`,
      [guardHere.id],
    );
    expect(preview.rows).toEqual([
      { record: 'incident_notes', records: noted.length },
      { record: 'payroll', records: 1 },
    ]);
    await client.query('select erase_person($1, $2)', [guardHere.id, 'Korto Massaquoi']);
    await sweep(client);
    const { rows } = await client.query(
      `select distinct x.text from (
         select n.note as text from incident_notes n where n.incident_id = any ($1)
         union all select unnest(array[p.notes, p.return_reason]) from payroll p where p.period_start = '2019-01-01'
         union all select a.new_values ->> 'note' from audit_log a where a.table_name = 'incident_notes'
       ) x where x.text <> 'The client was informed.'`,
      [noted.map(({ id }) => id)],
    );
    expect(rows).toEqual([
      { text: expect.stringMatching(/^Former guard \d{4}, erased, pays into erased\.$/) },
    ]);
  }));

// No key leads from them to the guard: the product wrote the name of who did not come, and of who called.
test('alerts of an empty seat, reports, calls, runs and searches of others lose the name', () =>
  rolledBack(database.owner, async (client) => {
    await actAsAdmin(client);
    await client.query(LEAVE);
    const detail = 'Main Gate: 1 of 1 seats empty (Korto Massaquoi: did not come)';
    const { rows: raised } = await client.query<{ id: string }>(
      `insert into alerts (cause, kind, site_id, detail) select 'empty:of an erased guard', 'empty', id, $1 from sites limit 1
       returning id`,
      [detail],
    );
    const alert = raised[0]?.id;
    // What was said before is in the log alone, and in lines of its own.
    await client.query(`update alerts set detail = 'Nobody'  where id = $1`, [alert]);
    await client.query(`update alerts set detail = E'Empty:\nKorto\nMassaquoi' where id = $1`, [
      alert,
    ]);
    await client.query('set local session_replication_role = replica');
    const problem = { code: 'no_account', name: 'Korto Massaquoi', text: 'x' };
    await client.query(
      `insert into private.daily_reports (day, facts) values ('2026-09-30', jsonb_build_object('alerts', jsonb_build_array($1::text)))`,
      [detail],
    );
    await client.query('update pay_runs set problems = $1', [JSON.stringify([problem])]);
    await client.query(
      `update service_calls set caller_name = 'Korto Massaquoi', caller_phone = '+231770918273'`,
    );
    await client.query(
      `update saved_views set search = '{"q": "Korto Massaquoi"}' where user_id <> $1`,
      [guardHere.id],
    );
    await client.query('set local session_replication_role = origin');
    await client.query('select erase_person($1, $2)', [guardHere.id, 'Korto Massaquoi']);
    await sweep(client);
    const { rows } = await client.query<{ place: string; text: string }>(
      `select 'alerts' as place, detail as text from alerts where id = $1
       union all select 'audit_log', new_values ->> 'detail' from audit_log where row_id = $1 and new_values ->> 'detail' <> 'Nobody'
       union all select 'daily_reports', facts::text from private.daily_reports where day = '2026-09-30'
       union all select 'pay_runs', problems::text from pay_runs
       union all select 'saved_views', search::text from saved_views
       union all select 'service_calls', caller_name || ' ' || caller_phone from service_calls`,
      [alert],
    );
    expect([...new Set(rows.map(({ place }) => place))].sort()).toEqual([
      'alerts',
      'audit_log',
      'daily_reports',
      'pay_runs',
      'saved_views',
      'service_calls',
    ]);
    for (const { text } of rows) expect(text).toMatch(/Former guard \d{4}/);
    expect(JSON.stringify(rows)).not.toMatch(/Massaquoi|770918273/);
  }));

test('the position of an SOS goes with who pressed, also from the call that was made of it', () =>
  rolledBack(database.owner, async (client) => {
    await actAsAdmin(client);
    await client.query(LEAVE);
    await client.query('set local session_replication_role = replica');
    await client.query(
      `update service_calls c set source = 'sos', source_key = 'sos:' || c.id, gps = '6.3,-10.8', alert_id = a.id
       from (select id from alerts order by id limit 1) a`,
    );
    await client.query(
      'update alerts set user_id = $1 where id in (select alert_id from service_calls)',
      [guardHere.id],
    );
    await client.query('set local session_replication_role = origin');
    await client.query('select erase_person($1, $2)', [guardHere.id, 'Korto Massaquoi']);
    const { rows } = await client.query('select distinct gps from service_calls');
    expect(rows).toEqual([{ gps: null }]);
  }));
