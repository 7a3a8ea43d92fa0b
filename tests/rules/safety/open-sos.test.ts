// What a guard's phone shows of their own SOS until the control room closes the alert.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { dispatcher, guardHere, newcomer, type Person } from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
  await database.owner.query(
    `delete from welfare_checks; delete from sos_events; delete from alerts; delete from notices`,
  );
});

const RAISE = 'select * from raise_sos($1, now(), null, 0, $2, 12)';
const HERE = '6.3001,-10.8002';

const as = async (client: PoolClient, person: Person, sql: string, values: unknown[] = []) => {
  await become(client, person);
  return (await client.query<Record<string, unknown>>(sql, values)).rows;
};
const shownTo = (client: PoolClient, person: Person) =>
  as(client, person, 'select * from my_open_sos()');
const alertId = async (client: PoolClient) => {
  await becomeOwner(client);
  return (await client.query<{ id: string }>('select id from alerts')).rows[0]?.id;
};

test('an SOS is shown to its guard alone, with who answered, until it is closed', () =>
  rolledBack(database.owner, async (client) => {
    const id = crypto.randomUUID();
    await as(client, guardHere, RAISE, [id, HERE]);
    expect(await shownTo(client, guardHere)).toEqual([
      expect.objectContaining({
        ...{ id, last_id: id, site_name: 'Here', gps: HERE, is_false_alarm: false },
        ...{ answered_at: null, answered_by: null },
      }),
    ]);
    expect(await shownTo(client, newcomer)).toEqual([]);
    expect(await shownTo(client, dispatcher)).toEqual([]);

    const alert = await alertId(client);
    await as(client, dispatcher, 'select acknowledge_alert($1)', [alert]);
    const [answered] = await shownTo(client, guardHere);
    expect(answered?.answered_at).toBeInstanceOf(Date);
    expect(answered?.answered_by).toMatch(/dispatcher/i);

    await as(client, dispatcher, `select close_alert($1, 'closed')`, [alert]);
    expect(await shownTo(client, guardHere)).toEqual([]);
  }));

test('presses that joined are one; a false alarm stays until it is closed, and a new press ends it', () =>
  rolledBack(database.owner, async (client) => {
    const [first, second, third] = [1, 2, 3].map(() => crypto.randomUUID());
    await as(client, guardHere, RAISE, [first, null]);
    await as(client, guardHere, RAISE, [second, HERE]);
    expect(await shownTo(client, guardHere)).toEqual([
      expect.objectContaining({ id: first, gps: HERE, is_false_alarm: false }),
    ]);
    await as(client, guardHere, 'select cancel_sos($1, null, now(), null, 0)', [second]);
    expect(await shownTo(client, guardHere)).toMatchObject([{ id: first, is_false_alarm: true }]);
    await as(client, guardHere, RAISE, [third, null]);
    expect(await shownTo(client, guardHere)).toMatchObject([{ id: first, is_false_alarm: false }]);
  }));

test('an SOS by text message is shown too, with the position in its link', () =>
  rolledBack(database.owner, async (client) => {
    await client.query(`update profiles set phone = '+231770999001' where id = $1`, [guardHere.id]);
    const text = `SOS Moses, Here, 2:05 PM, https://maps.google.com/?q=6.300010,-10.800020 4071`;
    const { rows } = await client.query(
      `select m.outcome, m.body from private.take_message('test:1', 'text', '+231770999001', $1) m`,
      [text],
    );
    expect(rows).toEqual([{ outcome: 'sos', body: text.replace('4071', '****') }]);
    expect(await shownTo(client, guardHere)).toMatchObject([{ gps: '6.300010,-10.800020' }]);
  }));
