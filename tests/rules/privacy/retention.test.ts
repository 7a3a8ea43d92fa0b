// Records end when their period is over, no second earlier, and not while there is a dispute about them.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, dispatcher, guardHere, hr } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, becomeOwner, refusal, rolledBack } from '#tests/support/session.ts';
import { withHours } from '#tests/support/timesheets.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments where user_id = '${guardHere.id}'; delete from timesheets; delete from pay_adjustments;
    delete from private.notice_deliveries`);
});

/** Runs a whole night's work. */
async function runNight(client: PoolClient): Promise<void> {
  await client.query('delete from private.retention_runs');
  for (let call = 0; call < 200; call += 1) {
    await client.query('select private.apply_retention()');
    const { rows } = await client.query<{ open: number; errors: string[] | null }>(
      `select count(*) filter (where finished_at is null)::int as open, array_agg(error) filter (where error is not null) as errors
       from private.retention_runs`,
    );
    expect(rows[0]?.errors).toBeNull();
    if (rows[0]?.open === 0) return;
  }
  throw new Error('The night did not end.');
}

/** Adds rows as they were left by the past, without the rules for new ones. @returns the id */
async function add(client: PoolClient, sql: string, at: string): Promise<string> {
  await client.query('set local session_replication_role = replica');
  const { rows } = await client.query<{ id: string }>(sql.replaceAll('AT', `(${at})`));
  await client.query('set local session_replication_role = origin');
  return rows[0]?.id ?? '';
}

const INCIDENT = (status: string) => `with incident as (
    insert into incidents (site_id, title, category, severity, description, status, created_at)
    select id, 'Broken fence', 'security', 'low', 'The fence is broken at the gate.', '${status}', AT from sites limit 1
    returning id
  )`;
const OLD_INCIDENT_EVIDENCE = (status: string) => `${INCIDENT(status)}
  insert into evidence (incident_id, type, url, created_at)
  select id, 'image/jpeg', id || '/fence.jpg', AT from incident returning id`;
const file = (status: string) => `${INCIDENT(status)}
  insert into storage.objects (bucket_id, name, created_at, version)
  select 'evidence', id || '/fence.jpg', AT, gen_random_uuid()::text from incident returning id`;
const CONTRACT = `insert into storage.objects (bucket_id, name, created_at, version)
  values ('people', '${guardHere.id}/contract.pdf', AT, gen_random_uuid()::text) returning id`;

interface Kind {
  kind: string;
  table: string;
  /** Adds a row that has ended AT a time. */
  sql: string;
  /** As old, but still needed. */
  needed?: string;
  /** What is left, where the row stays. */
  kept?: string;
}

const OLD_CALL = (
  state: 'open' | 'closed',
) => `insert into service_calls (address, kind, priority, received_at,
    answer_due_at, en_route_due_at, on_scene_due_at, state, closed_at, outcome)
  values ('Sinkor', 'alarm', 'routine', AT, AT, AT, AT, '${state}', ${state === 'closed' ? "AT, 'other'" : 'null, null'})
  returning id`;

const sos = `insert into sos_events (user_id, device_at, happened_at, received_at, way, gps)
  values ('${guardHere.id}', AT, AT, AT, 'phone', '6.3,-10.8') returning id`;

const KINDS: Kind[] = [
  {
    kind: 'enquiries',
    table: 'contact_messages',
    sql: `insert into contact_messages (name, email, message, state, created_at, handled_at)
      values ('Sender', 's@x.example', 'Please call me.', 'answered', AT, AT) returning id`,
    needed: `insert into contact_messages (name, email, message, created_at)
      values ('Sender', 's@x.example', 'Please call me.', AT) returning id`,
  },
  {
    kind: 'messages',
    table: 'inbound_messages',
    sql: `insert into inbound_messages (provider_id, kind, from_phone, body, sent_at, received_at, outcome, is_exception, reply)
      values ('m' || random(), 'text', '+231770000001', 'FINE', AT, AT, 'fine', false, 'Thank you') returning id`,
    needed: `insert into inbound_messages (provider_id, kind, from_phone, body, sent_at, received_at, outcome, is_exception, reply)
      values ('m' || random(), 'text', '+231770000001', 'HELO', AT, AT, 'unknown_words', true, 'Call us') returning id`,
  },
  {
    kind: 'notices',
    table: 'notices',
    sql: `insert into notices (user_id, kind, title, created_at) values ('${guardHere.id}', 'roster', 'New roster', AT) returning id`,
  },
  {
    kind: 'notices',
    table: 'private.notice_deliveries',
    sql: `insert into private.notice_deliveries (user_id, channel, notice_ids, state, next_at, created_at)
      values ('${guardHere.id}', 'email', '{}', 'sent', AT, AT) returning id`,
    needed: `insert into private.notice_deliveries (user_id, channel, notice_ids, state, next_at, created_at)
      values ('${guardHere.id}', 'sms', '{}', 'open', AT, AT) returning id`,
  },
  {
    kind: 'duty_notes',
    table: 'room_notes',
    sql: `insert into room_notes (body, created_at) values ('Quiet night', AT) returning id`,
    needed: `insert into room_notes (body, is_pinned, created_at) values ('Gate code', true, AT) returning id`,
  },
  {
    kind: 'duty_notes',
    table: 'watch_handovers',
    sql: `insert into watch_handovers (from_at, signed_at, facts) values (AT, AT, '{}') returning id`,
  },
  {
    kind: 'duty_notes',
    table: 'post_entries',
    sql: `insert into post_entries (site_id, kind, text, written_at)
      select id, 'check', 'All quiet', AT from sites limit 1 returning id`,
  },
  {
    kind: 'duty_notes',
    table: 'key_movements',
    sql: `insert into key_movements (site_id, key_name, taken_by, out_at, in_at)
      select id, 'Store', 'Mary', AT, AT from sites limit 1 returning id`,
    needed: `insert into key_movements (site_id, key_name, taken_by, out_at)
      select id, 'Store', 'Mary', AT from sites limit 1 returning id`,
  },
  {
    kind: 'duty_notes',
    table: 'post_pages',
    sql: `insert into post_pages (site_id, client_id, day, version, lines, facts, withheld_kinds, released_at)
      select id, client_id, '2025-01-01', 1 + random() * 1e9, '[]', '{}', '{}', AT from sites
      where client_id is not null limit 1 returning id`,
  },
  {
    kind: 'duty_notes',
    table: 'withheld_lines',
    sql: `insert into withheld_lines (site_id, source, line_id, withheld_at)
      select id, 'entry', gen_random_uuid(), AT from sites limit 1 returning id`,
  },
  {
    kind: 'visits',
    table: 'visits',
    sql: `insert into visits (site_id, kind, name, in_at) select id, 'person', 'Mary', AT from sites limit 1 returning id`,
  },
  {
    kind: 'calls',
    table: 'service_calls',
    sql: OLD_CALL('closed'),
    needed: OLD_CALL('open'),
  },
  {
    kind: 'calls',
    table: 'panel_events',
    sql: `with p as (insert into alarm_panels (name, site_id) select 'Panel', id from sites limit 1 returning id)
      insert into panel_events (panel_id, event_key, signal, body, received_at)
      select id, random()::text, 'note', 'Low battery (302)', AT from p returning id`,
  },
  {
    kind: 'sign_ins',
    table: 'auth.audit_log_entries',
    sql: `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
      values (gen_random_uuid(), gen_random_uuid(), '{}', AT, '') returning id`,
  },
  {
    kind: 'activity',
    table: 'audit_log',
    sql: `insert into audit_log (action, table_name, row_id, at) values ('insert', 'sites', gen_random_uuid(), AT) returning id`,
  },
  {
    kind: 'evidence',
    table: 'evidence',
    sql: OLD_INCIDENT_EVIDENCE('closed'),
    needed: OLD_INCIDENT_EVIDENCE('investigating'),
  },
  {
    kind: 'evidence',
    table: 'storage.objects',
    sql: file('resolved'),
    needed: file('open'),
  },
  {
    kind: 'clock_photos',
    table: 'private.clock_photos',
    sql: `insert into private.clock_photos (event_id, site_id, user_id, photo, created_at)
      select gen_random_uuid(), id, '${guardHere.id}', '\\xffd8ff', AT from sites limit 1 returning event_id as id`,
  },
  {
    kind: 'duty_notes',
    table: 'handover_notes',
    sql: `insert into handover_notes (site_id, post_id, assignment_id, user_id, note, written_at)
      select id, gen_random_uuid(), gen_random_uuid(), '${guardHere.id}', 'Radio 2 is broken', AT from sites limit 1 returning id`,
  },
  {
    kind: 'welfare_checks',
    table: 'welfare_checks',
    sql: `insert into welfare_checks (assignment_id, shift_id, user_id, site_id, due_at, every_minutes, ended_at)
      select gen_random_uuid(), gen_random_uuid(), '${guardHere.id}', id, AT, 60, AT from sites limit 1 returning id`,
    needed: `insert into welfare_checks (assignment_id, shift_id, user_id, site_id, due_at, every_minutes)
      select gen_random_uuid(), gen_random_uuid(), '${guardHere.id}', id, AT, 60 from sites limit 1 returning id`,
  },
  {
    kind: 'client_messages',
    table: 'client_requests',
    sql: `insert into client_requests (client_id, contact_id, kind, body, status, answer, answered_at, created_at)
      select client_id, id, 'message', 'Please call me.', 'answered', 'We did.', AT, AT from client_contacts limit 1 returning id`,
    needed: `insert into client_requests (client_id, contact_id, kind, body, created_at)
      select client_id, id, 'message', 'Please call me.', AT from client_contacts limit 1 returning id`,
  },
  {
    kind: 'positions',
    table: 'sos_events',
    sql: sos,
    needed: `with sos as (${sos}) insert into alerts (cause, kind, site_id, raised_at)
      select 'sos:' || sos.id, 'sos', sites.id, AT from sos, (select id from sites limit 1) sites
      returning (select id from sos)`,
    kept: 'gps',
  },
  {
    kind: 'positions',
    table: 'checkpoint_scans',
    sql: `insert into checkpoint_scans (user_id, site_id, code, way, scanned_at, device_at, gps)
      select '${guardHere.id}', id, 'X', 'camera', AT, AT, '6.3,-10.8' from sites limit 1 returning id`,
    kept: 'gps',
  },
  {
    kind: 'positions',
    table: 'attendance',
    sql: `insert into attendance (assignment_id, user_id, site_id, clock_in_at, clock_in_gps, clock_out_at, clock_out_gps)
      select gen_random_uuid(), '${hr.id}', id, AT, '6.3,-10.8', AT, '6.3,-10.8' from sites limit 1 returning id`,
    needed: `insert into attendance (assignment_id, user_id, site_id, clock_in_at, clock_in_gps, clock_out_at, needs_review)
      select gen_random_uuid(), '${hr.id}', id, AT, '6.3,-10.8', AT, true from sites limit 1 returning id`,
    kept: 'clock_in_gps',
  },
  {
    kind: 'leave_reasons',
    table: 'duty_notices',
    sql: `insert into duty_notices (user_id, site_id, kind, reason, starts_at, device_at, said_at, received_at)
      select '${guardHere.id}', id, 'cant_come', 'Ill', AT, AT, AT, AT from sites limit 1 returning id`,
    kept: 'reason',
  },
];

describe('a record', () => {
  test.each(KINDS)('of kind $kind in $table ends after its period', (kind) =>
    rolledBack(database.owner, async (client) => {
      const end = `now() - (select make_interval(days => days) from retention_rules where kind = '${kind.kind}')`;
      const over = await add(client, kind.sql, `${end} - interval '1 second'`);
      const young = await add(client, kind.sql, `${end} + interval '1 second'`);
      const needed =
        kind.needed && (await add(client, kind.needed, `${end} - interval '100 days'`));
      await runNight(client);
      const key = kind.kind === 'clock_photos' ? 'event_id' : 'id';
      const left = async (id: string) => {
        const { rows } = await client.query<{ kept: boolean }>(
          `select ${kind.kept ? `${kind.kept} is not null` : 'true'} as kept from ${kind.table} where ${key} = $1`,
          [id],
        );
        return rows.length === 0 ? 'gone' : rows[0]?.kept ? 'whole' : 'blanked';
      };
      expect({
        over: await left(over),
        young: await left(young),
        needed: needed ? await left(needed) : 'whole',
      }).toEqual({ over: kind.kept ? 'blanked' : 'gone', young: 'whole', needed: 'whole' });
    }),
  );

  test('that is an announcement ends, with who has read it, three years after its last day', () =>
    rolledBack(database.owner, async (client) => {
      await client.query('delete from announcements');
      await client.query(
        `with written as (
           insert into announcements (title, body, audience, last_day)
           select 'Radios', 'Charge them.', 'everybody', private.company_date() - days
           from unnest(array[1095, 1096]) days returning id
         )
         insert into announcement_readings (announcement_id, user_id, version, read_at)
         select id, $1, 1, now() from written`,
        [guardHere.id],
      );
      await runNight(client);
      const { rows } = await client.query(
        `select private.company_date() - a.last_day as days from announcements a
         join announcement_readings r on r.announcement_id = a.id`,
      );
      expect(rows).toEqual([{ days: 1095 }]);
    }));

  test('that is a document of a person ends five years after they left', () =>
    rolledBack(database.owner, async (client) => {
      const document = await add(client, CONTRACT, `'2000-01-01'`);
      const afterNight = async (left: number) => {
        await client.query(
          'update profiles set left_on = private.company_date() - $2::int where id = $1',
          [guardHere.id, left],
        );
        await runNight(client);
        return (await client.query('select from storage.objects where id = $1', [document]))
          .rowCount;
      };
      expect([await afterNight(1825), await afterNight(1826)]).toEqual([1, 0]);
      const { rowCount } = await client.query(
        `select from audit_log where table_name = 'documents' and action = 'delete'`,
      );
      expect(rowCount).toBe(1);
    }));

  test('of leave loses its reasons, and stays itself, after the day of its period', () =>
    rolledBack(database.owner, async (client) => {
      const leave = (ended: number, status: string) =>
        add(
          client,
          `insert into leave_requests (user_id, type, start_date, end_date, reason, decision_note, status)
           select '${hr.id}', 'sick', day, day, 'Malaria', 'Get well', '${status}'
           from (select private.company_date() - ${ended} as day) d returning id`,
          'now()',
        );
      await leave(1826, 'approved');
      await leave(1825, 'approved');
      await leave(1826, 'pending');
      await runNight(client);
      await runNight(client);
      const { rows } = await client.query(
        `select private.company_date() - end_date as days, status, reason, decision_note
         from leave_requests where user_id = $1 and type = 'sick' order by end_date, status`,
        [hr.id],
      );
      expect(rows).toEqual([
        { days: 1826, status: 'approved', reason: '', decision_note: null },
        { days: 1826, status: 'pending', reason: 'Malaria', decision_note: 'Get well' },
        { days: 1825, status: 'approved', reason: 'Malaria', decision_note: 'Get well' },
      ]);
    }));

  test('frees its blob and leaves no copy of its content in the activity log', () =>
    rolledBack(database.owner, async (client) => {
      const blob = await add(client, file('closed'), `now() - interval '6 years'`);
      const { rows } = await client.query<{ version: string }>(
        'select version from storage.objects where id = $1',
        [blob],
      );
      await client.query(
        `insert into contact_messages (name, email, message) values ('Sender', 's@x.example', 'Please call me back.')`,
      );
      await client.query(`set local session_replication_role = replica;
        update contact_messages set state = 'closed', created_at = '2001-01-01' where email = 's@x.example';
        set local session_replication_role = origin`);
      await runNight(client);
      const unused = await client.query('select from storage.unused_blobs where version = $1', [
        rows[0]?.version,
      ]);
      expect(unused.rowCount).toBe(1);
      const copies = await client.query(
        `select action, old_values, new_values from audit_log
         where table_name = 'contact_messages' and row_id not in (select id from contact_messages) order by at`,
      );
      expect(copies.rows).toEqual([
        { action: 'insert', old_values: null, new_values: {} },
        { action: 'delete', old_values: {}, new_values: null },
      ]);
    }));
});

describe('coordinates of worked hours', () => {
  const GPS = `update attendance set clock_in_gps = '6.3,-10.8', clock_out_gps = '6.3,-10.8'`;

  test('stay while the hours are open, and go without changing what is locked', () =>
    withHours(
      database.owner,
      scene.sites.here,
      { shifts: ['3 06:00-18:00'] },
      async ({ client }) => {
        await client.query(GPS);
        const sums = async () => {
          const { rows } = await client.query(
            `select (select jsonb_agg(to_jsonb(t) - 'computed_at') from timesheets t) as sheets,
               (select jsonb_agg(to_jsonb(s)) from time_segments s) as segments,
               (select jsonb_agg(to_jsonb(r) - '{clock_in_gps,clock_out_gps}'::text[]) from attendance r) as attendance`,
          );
          return rows[0];
        };
        const coordinates = async () => {
          const { rows } = await client.query<{ gps: string | null; copies: number }>(
            `select r.clock_in_gps as gps, (
               select count(*)::int from audit_log a
               where a.row_id = r.id and concat(a.old_values, a.new_values) like '%6.3,-10.8%'
             ) as copies from attendance r`,
          );
          return rows[0];
        };
        await runNight(client);
        expect((await coordinates())?.gps).toBe('6.3,-10.8');
        await client.query(`update timesheets set status = 'locked', locked_at = now()`);
        await client.query(`set local session_replication_role = replica;
          insert into timesheet_disputes (timesheet_id, user_id, day, note, status)
          select id, user_id, '2025-03-03', 'I stayed longer.', 'open' from timesheets;
          set local session_replication_role = origin`);
        await runNight(client);
        expect((await coordinates())?.gps).toBe('6.3,-10.8');
        await client.query(`set local session_replication_role = replica;
          update timesheet_disputes set status = 'answered', answer = 'The gate log says 18:00.';
          set local session_replication_role = origin`);
        const before = await sums();
        await runNight(client);
        expect(await coordinates()).toEqual({ gps: null, copies: 0 });
        expect(await sums()).toEqual(before);
      },
    ));
});

describe('the nightly work', () => {
  test('is done once by two servers at the same moment, in batches', async () => {
    const [first, second] = [await database.owner.connect(), await database.owner.connect()];
    try {
      await first.query('begin');
      await second.query('begin');
      const add = `insert into notices (user_id, kind, title, created_at)
        select '${guardHere.id}', 'roster', 'Old', now() - interval '2 years' from generate_series(1, 1500)`;
      await first.query(add);
      const run = (client: PoolClient) =>
        client.query(`select private.run_job('private.apply_retention', '2 seconds') as ran`);
      expect((await run(first)).rows).toEqual([{ ran: true }]);
      // The other has to neither wait nor work.
      await second.query(`set local lock_timeout = '1s'`);
      await second.query('select private.apply_retention()');
      const seen = await second.query('select from private.retention_runs');
      expect(seen.rowCount).toBe(0);
      await first.query(
        `update private.retention_runs set finished_at = now() where kind <> 'notices'`,
      );
      const left = async () =>
        (await first.query(`select from notices where title = 'Old'`)).rowCount;
      await first.query('select private.apply_retention()');
      expect(await left()).toBe(500);
      await first.query('select private.apply_retention()');
      expect(await left()).toBe(0);
    } finally {
      await first.query('rollback');
      await second.query('rollback');
      first.release();
      second.release();
    }
  });

  test('goes on with the other kinds after one that fails, and shows its error', () =>
    rolledBack(database.owner, async (client) => {
      await client.query(
        `update private.retention_parts set due = 'r.no_such_column is null' where kind = 'activity'`,
      );
      await client.query('select private.apply_retention() from generate_series(1, 60)');
      const { rows } = await client.query(
        `select kind, error from private.retention_runs where finished_at is not null and error is not null`,
      );
      expect(rows).toEqual([{ kind: 'activity', error: 'column r.no_such_column does not exist' }]);
      const open = await client.query(
        'select from private.retention_runs where finished_at is null',
      );
      expect(open.rowCount).toBe(0);
    }));
});

describe('a period', () => {
  const change = (days: number) =>
    `update retention_rules set days = ${days} where kind = 'positions'`;

  test('is changed by admins within its limits, and the change is in the activity log', () =>
    rolledBack(database.owner, async (client) => {
      await become(client, admin);
      await client.query(change(180));
      for (const days of [89, 3651]) {
        const error = await refusal(client, () => client.query(change(days)));
        expect(error.code).toBe('23514');
      }
      await becomeOwner(client);
      const { rows } = await client.query(
        `select actor_id, old_values, new_values from audit_log where table_name = 'retention_rules' and action = 'update'`,
      );
      expect(rows).toEqual([
        { actor_id: admin.id, old_values: { days: 365 }, new_values: { days: 180 } },
      ]);
    }));

  test('that is shorter says what would be lost, to admins alone', () =>
    rolledBack(database.owner, async (client) => {
      await client.query(`insert into notices (user_id, kind, title, created_at)
        select '${guardHere.id}', 'roster', 'Old', now() - interval '100 days' from generate_series(1, 3)`);
      await become(client, admin);
      const loss = async (days: number) =>
        (await client.query(`select retention_loss('notices', $1) as n`, [days])).rows[0]?.n;
      expect([await loss(101), await loss(99)]).toEqual(['0', '3']);
      await becomeOwner(client);
      await become(client, dispatcher);
      for (const sql of [
        `select retention_loss('notices', 30)`,
        'select * from retention_overview()',
      ]) {
        expect((await refusal(client, () => client.query(sql))).code).toBe('42501');
      }
    }));

  test('is shown to the people concerned', async () => {
    const rows = await asPerson(
      database.owner,
      guardHere,
      'select kind, days from retention_rules',
    );
    expect(rows.length).toBeGreaterThan(10);
  });
});
