// Presses of an SOS button after the first: a storm is one alert and tells once; new distress alarms the control room again.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, dispatcher, guardHere, opsManager, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(`
    delete from welfare_checks; delete from sos_events; delete from alerts; delete from notices`);
});

type Row = Record<string, unknown>;

const RAISE = `select * from raise_sos($1, now(), null, 0, $2, $3)`;
const HERE = '6.3001,-10.8002';

const as = async (client: PoolClient, person: Person, sql: string, values: unknown[] = []) => {
  await become(client, person);
  const { rows } = await client.query<Row>(sql, values);
  return rows;
};
const owner = async (client: PoolClient, sql: string, values: unknown[] = []) => {
  await becomeOwner(client);
  const { rows } = await client.query<Row>(sql, values);
  return rows;
};

describe('repeated presses', () => {
  const press = async (client: PoolClient, gps: string | null = null) => {
    const id = crypto.randomUUID();
    await as(client, guardHere, RAISE, [id, gps, gps && 9]);
    return id;
  };
  const counts = (client: PoolClient) =>
    owner(
      client,
      `select (select count(*)::int from sos_events) as presses, (select count(*)::int from alerts) as alerts,
         (select max(n)::int from (select count(*) as n from notices group by user_id) u) as notices`,
    );

  test('join the open alert: each is stored, its position is shown, and nobody is told twice', () =>
    rolledBack(database.owner, async (client) => {
      const first = await press(client, HERE);
      for (let again = 0; again < 20; again += 1) await press(client);
      await press(client, '6.31,-10.81');
      expect(await counts(client)).toEqual([{ presses: 22, alerts: 1, notices: 1 }]);
      const [alert] = await owner(client, 'select cause, detail from alerts');
      expect(alert?.cause).toBe(`sos:${first}`);
      expect(alert?.detail).toMatch(
        /at 6\.3001,-10\.8002 within 9 m\. Pressed 22 times, last at .+; newest positions: .+ 6\.31,-10\.81 within 9 m$/,
      );
      // A lost response: the same id is the same press.
      await as(client, guardHere, RAISE, [first, HERE, 9]);
      expect(await counts(client)).toEqual([{ presses: 22, alerts: 1, notices: 1 }]);
    }));

  test('after it is closed begin another, and so do those at another site', () =>
    rolledBack(database.owner, async (client) => {
      await press(client);
      await owner(client, `update alerts set closed_at = now(), outcome = 'closed'`);
      await press(client);
      expect(await counts(client)).toMatchObject([{ presses: 2, alerts: 2 }]);
      await owner(
        client,
        `update alerts set site_id = (select id from sites where id <> site_id limit 1)`,
      );
      await press(client);
      expect(await counts(client)).toMatchObject([{ presses: 3, alerts: 3 }]);
    }));

  test('begin another when the control room answered and the first was a false alarm or long ago', () =>
    rolledBack(database.owner, async (client) => {
      const id = await press(client);
      await owner(client, 'update alerts set acknowledged_at = now()');
      await press(client);
      expect(await counts(client)).toMatchObject([{ presses: 2, alerts: 1 }]);
      await as(client, guardHere, 'select cancel_sos($1, null, now(), null, 0)', [id]);
      expect(await owner(client, 'select detail from alerts')).toEqual([
        { detail: expect.stringMatching(/^False alarm, says the guard/) },
      ]);
      await press(client);
      expect(await counts(client)).toMatchObject([{ presses: 3, alerts: 2 }]);
      await owner(
        client,
        `update alerts set acknowledged_at = now(); update sos_events set received_at = now() - interval '1 hour'`,
      );
      await press(client);
      expect(await counts(client)).toMatchObject([{ presses: 4, alerts: 3 }]);
    }));

  const cancel = (client: PoolClient, id: string) =>
    as(client, guardHere, 'select cancel_sos($1, null, now(), null, 0)', [id]);
  const pass = (client: PoolClient, seconds: number) =>
    owner(
      client,
      `with e as (update sos_events set received_at = received_at - make_interval(secs => ${seconds}),
           happened_at = happened_at - make_interval(secs => ${seconds}))
       update alerts set raised_at = raised_at - make_interval(secs => ${seconds}),
         escalated_at = escalated_at - make_interval(secs => ${seconds})`,
    );
  const told = async (client: PoolClient, person: Person) =>
    (
      await owner(
        client,
        `select title from notices where user_id = $1 and kind in ('sos', 'alert')`,
        [person.id],
      )
    ).length;

  test('after a false alarm that nobody answered alarm the control room again, in the open alert', () =>
    rolledBack(database.owner, async (client) => {
      const first = await press(client);
      await cancel(client, first);
      await pass(client, 70);
      await press(client);
      expect(await counts(client)).toEqual([{ presses: 2, alerts: 1, notices: 2 }]);
      expect(await told(client, dispatcher)).toBe(2);
      expect(await owner(client, 'select detail from alerts')).toEqual([
        {
          detail: expect.stringMatching(
            /^guard on the site needs help.+Pressed 2 times \(1 called a false alarm\), last at/,
          ),
        },
      ]);
      // More presses of the same distress tell nobody again.
      for (let again = 0; again < 118; again += 1) await press(client);
      expect(await counts(client)).toEqual([{ presses: 120, alerts: 1, notices: 2 }]);
    }));

  test.each([
    [110, 1],
    [130, 2],
  ])('%s seconds after the last one make %s notices, answered or not', (seconds, notices) =>
    rolledBack(database.owner, async (client) => {
      await press(client);
      await pass(client, seconds);
      const second = await press(client);
      expect(await counts(client)).toEqual([{ presses: 2, alerts: 1, notices }]);
      // A lost response: the same press.
      await as(client, guardHere, RAISE, [second, HERE, 9]);
      expect(await counts(client)).toEqual([{ presses: 2, alerts: 1, notices }]);
      await owner(client, 'update alerts set acknowledged_at = now()');
      await pass(client, seconds);
      await press(client);
      expect(await counts(client)).toEqual([{ presses: 3, alerts: 1, notices: notices * 2 - 1 }]);
    }),
  );

  test('that alarm again begin the escalation again', () =>
    rolledBack(database.owner, async (client) => {
      const escalate = () => owner(client, 'select private.escalate_alerts()');
      await press(client);
      for (const step of [1, 2]) {
        await pass(client, 3600);
        await escalate();
        expect(await owner(client, 'select escalations from alerts')).toEqual([
          { escalations: step },
        ]);
      }
      expect([await told(client, opsManager), await told(client, admin)]).toEqual([2, 2]);
      await press(client);
      expect([await told(client, opsManager), await told(client, admin)]).toEqual([3, 3]);
      await escalate();
      expect(await owner(client, 'select escalations from alerts')).toEqual([{ escalations: 0 }]);
      for (const _step of [1, 2]) {
        await pass(client, 3600);
        await escalate();
      }
      expect([await told(client, opsManager), await told(client, admin)]).toEqual([4, 4]);
    }));

  test('by phone and by text message are one alert', () =>
    rolledBack(database.owner, async (client) => {
      await press(client);
      for (const id of ['1', '2']) {
        await owner(
          client,
          `select private.store_sos($1, gen_random_uuid(), 'message', null, now(), null, null)`,
          [guardHere.id],
        );
        // A number that nobody has.
        await owner(client, `select private.take_message($1, 'text', '+231770000999', 'SOS')`, [
          id,
        ]);
      }
      const [sums] = await owner(
        client,
        `select (select count(*)::int from sos_events) as presses, (select count(*)::int from alerts) as alerts,
           (select max(n)::int from (select count(*) as n from notices where kind = 'message' group by user_id) u) as unknown`,
      );
      expect(sums).toEqual({ presses: 3, alerts: 1, unknown: 1 });
    }));

  test('at the same moment are one alert', async () => {
    const clients = await Promise.all([1, 2].map(() => database.owner.connect()));
    try {
      await Promise.all(clients.map((client) => client.query('begin')));
      await Promise.all(
        clients.map(async (client) => {
          await become(client, guardHere);
          await client.query(RAISE, [crypto.randomUUID(), HERE, 5]);
          await client.query('commit');
        }),
      );
      const { rows } = await database.owner.query(
        `select (select count(*)::int from sos_events) as presses, (select count(*)::int from alerts) as alerts`,
      );
      expect(rows).toEqual([{ presses: 2, alerts: 1 }]);
    } finally {
      for (const client of clients) client.release();
      await database.owner.query('delete from sos_events; delete from alerts; delete from notices');
    }
  });
});
