// An SOS is stored once and reaches everybody who plans the site, whatever else is wrong with it.

import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import * as limits from '#shared/database.limits.ts';
import {
  admin,
  dispatcher,
  guardHere,
  newcomer,
  opsManager,
  type Person,
  supervisorElsewhere,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

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

describe('an SOS', () => {
  test('of a guard on duty has the position, raises one alert and tells every planner of the site', () =>
    rolledBack(database.owner, async (client) => {
      const id = crypto.randomUUID();
      const [sos] = await as(client, guardHere, RAISE, [id, HERE, 12]);
      expect(sos).toMatchObject({ id, gps: HERE, accuracy_m: 12, flags: [], way: 'phone' });
      expect(sos?.site_id).not.toBeNull();
      const alerts = await owner(client, 'select kind, cause, user_id, detail from alerts');
      expect(alerts).toEqual([
        {
          kind: 'sos',
          cause: `sos:${id}`,
          user_id: guardHere.id,
          detail: expect.stringMatching(
            /^guard on the site needs help\. Here, .+M, at 6\.3001,-10\.8002 within 12 m$/,
          ),
        },
      ]);
      const told = await owner(
        client,
        `select user_id from notices where kind in ('sos', 'alert')`,
      );
      const people = told.map(({ user_id }) => user_id);
      expect(new Set(people).size).toBe(people.length);
      for (const planner of [admin, opsManager, supervisorHere, supervisorEverywhere, dispatcher]) {
        expect(people).toContain(planner.id);
      }
      expect(people).not.toContain(supervisorElsewhere.id);
      expect(people).not.toContain(guardHere.id);
    }));

  test('with a position of unknown accuracy says no accuracy', () =>
    rolledBack(database.owner, async (client) => {
      await as(client, guardHere, RAISE, [crypto.randomUUID(), HERE, null]);
      expect(await owner(client, 'select detail from alerts')).toEqual([
        { detail: expect.stringMatching(/at 6\.3001,-10\.8002$/) },
      ]);
    }));

  test('sent again is the same, and adds the position that came later', () =>
    rolledBack(database.owner, async (client) => {
      const id = crypto.randomUUID();
      await as(client, guardHere, RAISE, [id, null, null]);
      await as(client, guardHere, RAISE, [id, HERE, 30]);
      await as(client, guardHere, RAISE, [id, '1,1', 30]);
      const events = await owner(client, 'select gps, flags from sos_events');
      expect(events).toEqual([{ gps: HERE, flags: [] }]);
      const alerts = await owner(client, 'select detail from alerts');
      expect(alerts).toEqual([{ detail: expect.stringContaining(`at ${HERE}`) }]);
    }));

  test.each<[string, string, unknown[]]>([
    ['a position that is none', `raise_sos($1, now(), null, 0, 'somewhere', 'NaN')`, []],
    ['a clock years off', `raise_sos($1, '1999-01-01', null, 0)`, []],
    ['an endless time', `raise_sos($1, 'infinity', '-infinity', 9223372036854775807)`, []],
    ['nothing but the id', 'raise_sos($1)', []],
  ])('with %s is stored all the same', (_name, sql) =>
    rolledBack(database.owner, async (client) => {
      const [sos] = await as(client, guardHere, `select * from ${sql}`, [crypto.randomUUID()]);
      expect(sos).toMatchObject({ gps: null, accuracy_m: null });
      const alerts = await owner(client, 'select from alerts');
      expect(alerts).toHaveLength(1);
    }),
  );

  test('outside any shift reaches the planners of a site, and the event has none', () =>
    rolledBack(database.owner, async (client) => {
      const [sos] = await as(client, newcomer, RAISE, [crypto.randomUUID(), HERE, 5]);
      expect(sos).toMatchObject({ site_id: null, assignment_id: null });
      const [alert] = await owner(client, 'select detail from alerts');
      expect(alert?.detail).toContain('Not on duty');
    }));

  test('with the id of another guard’s event becomes an event of its own', () =>
    rolledBack(database.owner, async (client) => {
      const id = crypto.randomUUID();
      await as(client, guardHere, RAISE, [id, HERE, 5]);
      const [second] = await as(client, newcomer, RAISE, [id, HERE, 5]);
      expect(second?.id).not.toBe(id);
      expect(await owner(client, 'select from alerts')).toHaveLength(2);
    }));
});

describe('a false alarm', () => {
  const CANCEL = `select * from cancel_sos($1, $2, now() + make_interval(secs => $3), null, 0)`;

  test('is noted, and the alert stays until a person acknowledges it', () =>
    rolledBack(database.owner, async (client) => {
      const id = crypto.randomUUID();
      await as(client, guardHere, RAISE, [id, HERE, 5]);
      const [sos] = await as(client, guardHere, CANCEL, [id, 'Fell on the phone', 0]);
      expect(sos).toMatchObject({ cancel_note: 'Fell on the phone' });
      await as(client, guardHere, CANCEL, [id, 'Again', 0]);
      const [alert] = await owner(client, 'select detail, closed_at from alerts');
      expect(alert).toMatchObject({
        closed_at: null,
        detail: expect.stringMatching(/^False alarm, says the guard: Fell on the phone\. guard on/),
      });
    }));

  test('is refused after a minute, and to others', () =>
    rolledBack(database.owner, async (client) => {
      const id = crypto.randomUUID();
      await as(client, guardHere, RAISE, [id, HERE, 5]);
      await owner(client, 'update sos_events set happened_at = now() - make_interval(secs => $1)', [
        limits.SOS_CANCEL_WINDOW_MINUTES * 60 + 10,
      ]);
      await become(client, guardHere);
      expect(await attempt(client, () => client.query(CANCEL, [id, null, 0]))).toBe('PT409');
      await become(client, newcomer);
      expect(await attempt(client, () => client.query(CANCEL, [id, null, 0]))).toBe('PT404');
    }));

  test('pressed in time counts, however late it arrives', () =>
    rolledBack(database.owner, async (client) => {
      const id = crypto.randomUUID();
      await as(client, guardHere, `select raise_sos($1, now() - interval '1 hour', null, 0)`, [id]);
      const [sos] = await as(client, guardHere, CANCEL, [
        id,
        null,
        -3600 + limits.SOS_CANCEL_WINDOW_MINUTES * 60 - 1,
      ]);
      expect(sos).toMatchObject({ cancel_note: 'Pressed by mistake' });
    }));
});
