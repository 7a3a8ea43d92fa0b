// Calls for service: stored once, answered by units whose steps are written down once, and never edited.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import {
  admin,
  bystander,
  dispatcher,
  finance,
  guardElsewhere,
  guardHere,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  attempt,
  become,
  becomeOwner,
  call,
  REFUSED,
  refusal,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const CALL = '00000000-0000-4000-8000-00000000ca01';
const NEAR = '00000000-0000-4000-8000-00000000de01';
const FAR = '00000000-0000-4000-8000-00000000de02';

type Row = Record<string, unknown>;

async function one(client: PoolClient, sql: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await client.query<Row>(sql, values);
  return rows[0] ?? {};
}

const callOf = (client: PoolClient) =>
  one(client, 'select * from service_calls where id = $1', [CALL]);
const unitOf = (client: PoolClient, id = NEAR) =>
  one(client, 'select * from response_units where id = $1', [id]);
const kindsOf = async (client: PoolClient) =>
  (
    await client.query<{ kind: string }>(
      'select kind from unit_events where call_id = $1 order by sequence',
      [CALL],
    )
  ).rows.map(({ kind }) => kind);
const save = (client: PoolClient, priority = 'danger') =>
  client.query(
    `select save_call($1, 'alarm', $2, $3, p_caller_name => ' Mary ', p_details => 'Zone 3')`,
    [CALL, priority, scene.sites.here],
  );
const assign = (client: PoolClient, unit = NEAR) =>
  client.query('select assign_unit($1, $2)', [CALL, unit]);
const step = (client: PoolClient, assigned: unknown, kind: string, values: Row = {}) =>
  call<string>(client, 'record_unit_step($1, $2, $3, $4::timestamptz, $5::timestamptz, $6, $7)', [
    values.id ?? crypto.randomUUID(),
    assigned,
    kind,
    values.device,
    values.sent,
    values.offset,
    values.gps,
  ]);
const ranked = async (client: PoolClient) =>
  (await client.query<Row>('select * from rank_units($1)', [CALL])).rows;

/** A danger at the site, and two units: one beside it, with two guards, and one 11 km away. */
async function begin(client: PoolClient): Promise<void> {
  await client.query('delete from unit_members');
  await client.query('delete from service_calls');
  await client.query('delete from response_units');
  await client.query('delete from notices');
  await become(client, dispatcher);
  await client.query(`select save_unit($1, 'Rapid 1', 'Hilux', $2, null, $3)`, [
    NEAR,
    scene.sites.here,
    [guardHere.id, bystander.id],
  ]);
  await client.query(`select save_unit($1, 'Rapid 2', null, null, '6.4,-10.8', $2)`, [
    FAR,
    [guardElsewhere.id],
  ]);
  await save(client);
}

const story = (work: (client: PoolClient) => Promise<void>) =>
  rolledBack(database.owner, async (client) => {
    await begin(client);
    await work(client);
  });

test('the unit’s people get its calls as text messages, whatever they have chosen for other notices', () =>
  story(async (client) => {
    await becomeOwner(client);
    await client.query('update private.settings set text_messages = true');
    await client.query('update profiles set phone = $2 where id = $1', [
      guardHere.id,
      '+231770111222',
    ]);
    await client.query(`select private.notify($1, 'roster', 'New shift', '', null, null)`, [
      guardHere.id,
    ]);
    const texts = async () =>
      (
        await client.query(
          `select n.title from private.notice_deliveries d join notices n on n.id = any (d.notice_ids)
          where d.channel = 'sms'`,
        )
      ).rows.map(({ title }) => title);
    expect(await texts()).toEqual([]);
    await become(client, dispatcher);
    await assign(client);
    await becomeOwner(client);
    expect(await texts()).toEqual(['Alarm, Here']);
  }));

test('a call has its site’s client, address and position, and the goals of its priority', () =>
  story(async (client) => {
    const stored = await callOf(client);
    expect(stored).toMatchObject({
      address: 'Monrovia',
      client_name: 'Client',
      gps: '6.300000,-10.800000',
      caller_name: 'Mary',
      state: 'open',
      source: 'operator',
    });
    const minutes = (due: string) => (Number(stored[due]) - Number(stored.received_at)) / 60_000;
    expect(['answer_due_at', 'en_route_due_at', 'on_scene_due_at'].map(minutes)).toEqual([
      3, 5, 15,
    ]);
    // Sent again.
    await save(client, 'routine');
    expect(await callOf(client)).toMatchObject({ priority: 'danger' });
    expect(await kindsOf(client)).toEqual(['received']);
  }));

test('a change of the priority moves the goals, and a stale form changes nothing', () =>
  story(async (client) => {
    const { seen: updated_at } = await one(
      client,
      'select updated_at::text as seen from service_calls where id = $1',
      [CALL],
    );
    const change = (seen: unknown) =>
      client.query(`select save_call($1, 'fire', 'routine', $2, p_seen => $3)`, [
        CALL,
        scene.sites.here,
        seen,
      ]);
    expect(await attempt(client, () => change('2020-01-01'))).toBe('PT409');
    await change(updated_at);
    const stored = await callOf(client);
    expect(Number(stored.answer_due_at) - Number(stored.received_at)).toBe(15 * 60_000);
    expect(await kindsOf(client)).toEqual(['received', 'changed']);
  }));

test('the nearest free unit comes first, with the reason; each recent call weighs a kilometre', () =>
  story(async (client) => {
    expect(await ranked(client)).toMatchObject([
      {
        call_sign: 'Rapid 1',
        distance_m: 0,
        reason: '0.0 km from base, available, no call in 12 h',
      },
      { call_sign: 'Rapid 2', reason: '11.1 km from base, available, no call in 12 h' },
    ]);
    await client.query('select set_unit_service($1, false)', [NEAR]);
    expect((await ranked(client)).map(({ call_sign }) => call_sign)).toEqual([
      'Rapid 2',
      'Rapid 1',
    ]);
    await client.query('select set_unit_service($1, true)', [NEAR]);
    await becomeOwner(client);
    await client.query(
      `with a as (insert into unit_events (call_id, unit_id, kind) select $1, $2, 'assigned'
         from generate_series(1, 12) returning id)
       insert into unit_events (call_id, unit_id, assigned_id, kind) select $1, $2, id, 'accepted' from a`,
      [CALL, NEAR],
    );
    await become(client, dispatcher);
    expect((await ranked(client))[0]).toMatchObject({ call_sign: 'Rapid 2', place: 1 });
  }));

test('one press asks the unit, whose people have the call and a notice at once', () =>
  story(async (client) => {
    await assign(client);
    await assign(client);
    expect(await kindsOf(client)).toEqual(['received', 'assigned']);
    expect(await unitOf(client)).toMatchObject({ state: 'assigned', call_id: CALL });
    await become(client, guardHere);
    expect(await one(client, 'select * from my_call()')).toMatchObject({
      call_sign: 'Rapid 1',
      site_name: 'Here',
      gps: '6.300000,-10.800000',
      state: 'assigned',
    });
    await becomeOwner(client);
    const { rows } = await client.query(`select user_id, title from notices order by user_id`);
    expect(rows).toEqual(
      [guardHere.id, bystander.id].sort().map((user_id) => ({ user_id, title: 'Alarm, Here' })),
    );
    await become(client, guardElsewhere);
    expect(await one(client, 'select * from my_call()')).toEqual({});
    expect(await one(client, 'select id from service_calls')).toEqual({});
  }));

test('the people of a unit who are on duty are told, and all of them while nobody is', () =>
  story(async (client) => {
    await becomeOwner(client);
    await client.query('delete from attendance where clock_out_at is null');
    await client.query(`delete from assignments where upper(period) > now() - interval '2 days'`);
    const shiftOf = (person: string) =>
      client.query(
        `with s as (insert into shifts (site_id, start_time, end_time, required_headcount)
           values ($2, now() - interval '1 hour', now() + interval '7 hours', 1) returning id)
         insert into assignments (shift_id, user_id) select id, $1 from s`,
        [person, scene.sites.here],
      );
    const told = async (title: string) =>
      (
        await client.query<{ user_id: string }>(
          `select user_id from notices where title = $1 and link = '/staff' order by 1`,
          [title],
        )
      ).rows.map(({ user_id }) => user_id);
    const both = [guardHere.id, bystander.id].sort();

    await become(client, dispatcher);
    await assign(client);
    await becomeOwner(client);
    expect(await told('Alarm, Here')).toEqual(both);
    // Who came on duty since, and who was asked, hear that it is over.
    await shiftOf(bystander.id);
    await become(client, dispatcher);
    await client.query('select take_off_unit($1)', [(await unitOf(client)).assigned_id]);
    await becomeOwner(client);
    expect(await told('Stand down: Alarm, Here')).toEqual(both);

    await client.query('delete from notices');
    await become(client, dispatcher);
    await assign(client);
    await becomeOwner(client);
    expect(await told('Alarm, Here')).toEqual([bystander.id]);
    await become(client, dispatcher);
    await client.query(`select cancel_call($1, 'A drill')`, [CALL]);
    await becomeOwner(client);
    expect(await told('Stand down: Alarm, Here')).toEqual([bystander.id]);
  }));

test('supervisors read calls and timelines of their sites, and units', () =>
  story(async (client) => {
    await assign(client);
    const seenBy = async (person: Person) => {
      await become(client, person);
      const { rows } = await client.query(
        `select (select count(*)::integer from service_calls) as calls,
           (select count(*)::integer from unit_events) as events,
           (select count(*)::integer from response_units) as units`,
      );
      return rows[0];
    };
    expect(await seenBy(supervisorHere)).toEqual({ calls: 1, events: 2, units: 2 });
    expect(await seenBy(supervisorEverywhere)).toEqual({ calls: 1, events: 2, units: 2 });
    expect(await seenBy(supervisorElsewhere)).toEqual({ calls: 0, events: 0, units: 2 });
  }));

test('each step is written down once, by the corrected clock of the phone, and moves call and unit', () =>
  story(async (client) => {
    await assign(client);
    const { assigned_id } = await unitOf(client);
    await becomeOwner(client);
    await client.query(`update unit_events set happened_at = now() - interval '1 hour'`);
    await become(client, guardHere);
    const id = crypto.randomUUID();
    // The phone is a day ahead: pressed 10 minutes before it was sent.
    const late = {
      id,
      device: new Date(Date.now() + 86_400_000 - 600_000),
      sent: new Date(Date.now() + 86_400_000),
      gps: '6.31,-10.8',
    };
    expect(await step(client, assigned_id, 'accepted', late)).toBe('assigned');
    expect(await step(client, assigned_id, 'accepted', late)).toBe('assigned');
    // The colleague presses too.
    await become(client, bystander);
    await step(client, assigned_id, 'accepted');
    await step(client, assigned_id, 'declined');
    expect(await step(client, assigned_id, 'en_route')).toBe('en_route');
    expect(await step(client, assigned_id, 'on_scene')).toBe('on_scene');
    await become(client, dispatcher);
    const stored = await callOf(client);
    expect(stored).toMatchObject({ state: 'on_scene' });
    expect((Date.now() - Number(stored.answered_at)) / 60_000).toBeCloseTo(10, 0);
    const events = await client.query(
      `select kind, counts from unit_events where assigned_id = $1 order by sequence`,
      [assigned_id],
    );
    expect(events.rows).toEqual([
      { kind: 'accepted', counts: true },
      { kind: 'declined', counts: false },
      { kind: 'en_route', counts: true },
      { kind: 'on_scene', counts: true },
    ]);
    await step(client, assigned_id, 'clear');
    expect(await callOf(client)).toMatchObject({ state: 'clear' });
    expect(await unitOf(client)).toMatchObject({ state: 'clear' });
    expect((await ranked(client))[0]).toMatchObject({ is_free: true });
  }));

test('a unit that does not answer in time is taken off, and the dispatcher is told who is next', () =>
  story(async (client) => {
    await assign(client);
    const { assigned_id } = await unitOf(client);
    await becomeOwner(client);
    expect(await call(client, 'private.due_dispatch()', [])).toBe(0);
    await client.query(
      `update response_units set reply_due_at = now() - interval '1 second' where id = $1`,
      [NEAR],
    );
    expect(await call(client, 'private.due_dispatch()', [])).toBe(1);
    expect(await call(client, 'private.due_dispatch()', [])).toBe(0);
    expect(await unitOf(client)).toMatchObject({ state: 'available', call_id: null });
    expect(await callOf(client)).toMatchObject({ state: 'open' });
    expect(
      await one(client, `select title, body from notices where user_id = $1`, [dispatcher.id]),
    ).toEqual({
      title: 'No answer from Rapid 1: Alarm, Here',
      body: 'Next: Rapid 2, 11.1 km from base, available, no call in 12 h',
    });
    // What arrives afterwards is written down, and changes nothing.
    await become(client, guardHere);
    expect(await step(client, assigned_id, 'accepted')).toBe('available');
    await becomeOwner(client);
    expect(await callOf(client)).toMatchObject({ state: 'open', answered_at: null });
  }));

test('each missed goal is told once', () =>
  story(async (client) => {
    await becomeOwner(client);
    await client.query(
      `update service_calls set answer_due_at = now() - interval '1 minute', en_route_due_at = now()`,
    );
    expect(await call(client, 'private.due_dispatch()', [])).toBe(2);
    expect(await call(client, 'private.due_dispatch()', [])).toBe(0);
    expect(await kindsOf(client)).toEqual(['received', 'late_answer', 'late_en_route']);
  }));

test('closing needs an outcome, frees the units, and can be undone', () =>
  story(async (client) => {
    await assign(client);
    const { assigned_id } = await unitOf(client);
    await step(client, assigned_id, 'en_route');
    expect(await attempt(client, () => client.query('select close_call($1, null)', [CALL]))).toBe(
      '22023',
    );
    expect(await attempt(client, () => client.query(`select cancel_call($1, ' ')`, [CALL]))).toBe(
      '22023',
    );
    await client.query(`select close_call($1, 'false_alarm', 'A cat')`, [CALL]);
    expect(await callOf(client)).toMatchObject({ state: 'closed', outcome: 'false_alarm' });
    expect(await unitOf(client)).toMatchObject({ state: 'available', call_id: null });
    expect(await attempt(client, () => assign(client))).toBe('PT409');
    await client.query('select reopen_call($1)', [CALL]);
    expect(await callOf(client)).toMatchObject({
      state: 'en_route',
      outcome: null,
      closed_at: null,
    });
    await client.query(`select cancel_call($1, 'Entered twice')`, [CALL]);
    expect(await callOf(client)).toMatchObject({ state: 'cancelled', outcome: null });
  }));

test('a unit is taken off, and out of service it is off its call', () =>
  story(async (client) => {
    await assign(client);
    await client.query('select take_off_unit($1)', [(await unitOf(client)).assigned_id]);
    expect(await callOf(client)).toMatchObject({ state: 'open' });
    await assign(client);
    await client.query(`select set_unit_service($1, false, 'Flat tyre')`, [NEAR]);
    expect(await unitOf(client)).toMatchObject({ state: 'out_of_service', call_id: null });
    expect((await refusal(client, () => assign(client))).message).toBe(
      'Rapid 1 is out of service.',
    );
    await client.query('select set_unit_service($1, true)', [NEAR]);
    expect(await unitOf(client)).toMatchObject({ state: 'available' });
    expect(await attempt(client, () => client.query('select delete_unit($1)', [NEAR]))).toBe(
      'PT409',
    );
    await client.query('select delete_unit($1)', [FAR]);
  }));

test('a person is in one unit', () =>
  story(async (client) => {
    const add = () =>
      client.query(`select save_unit(gen_random_uuid(), 'Rapid 3', null, null, null, $1)`, [
        [guardHere.id],
      ]);
    expect((await refusal(client, add)).message).toContain('is in Rapid 1');
  }));

test('an SOS and an incident become one call each, however often it is pressed', () =>
  story(async (client) => {
    await become(client, guardHere);
    await client.query(`select raise_sos(gen_random_uuid(), now(), now(), 0, '6.35,-10.8')`);
    await become(client, admin);
    const alert = await one(client, `select id from alerts where kind = 'sos'`);
    for (const _ of [1, 2]) await client.query('select call_for_alert($1)', [alert.id]);
    const { rows } = await client.query(`select * from service_calls where source = 'sos'`);
    expect(rows).toMatchObject([{ priority: 'danger', gps: '6.35,-10.8', alert_id: alert.id }]);
    const incident = await one(client, `select id, title from incidents limit 1`);
    for (const _ of [1, 2]) await client.query('select call_for_incident($1)', [incident.id]);
    const made = await client.query(`select details from service_calls where source = 'incident'`);
    expect(made.rows).toEqual([{ details: incident.title }]);
  }));

test('calls are for dispatchers and operations; the timeline is for nobody to edit', () =>
  story(async (client) => {
    await assign(client);
    const { assigned_id } = await unitOf(client);
    for (const person of [supervisorEverywhere, finance, guardElsewhere]) {
      await become(client, person);
      expect(await attempt(client, () => save(client))).toBe(REFUSED);
      expect(await attempt(client, () => assign(client, FAR))).toBe(REFUSED);
      expect(await attempt(client, () => client.query('select rank_units($1)', [CALL]))).toBe(
        REFUSED,
      );
      expect(await attempt(client, () => step(client, assigned_id, 'accepted'))).toBe('PT404');
    }
    for (const person of [opsManager, admin, guardHere]) {
      await become(client, person);
      for (const sql of [`update unit_events set note = 'x'`, 'delete from unit_events']) {
        expect(await attempt(client, () => client.query(sql))).toBe(REFUSED);
      }
    }
  }));
