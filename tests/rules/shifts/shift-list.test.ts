import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  dispatcher,
  guardHere,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, rolledBack } from '#tests/support/session.ts';

import { MONDAY, shiftWriters, TUESDAY } from '#tests/support/shift-writers.ts';

let database: TestDatabase;
let scene: Scene;
const { shift, assign } = shiftWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

describe('a search for shifts', () => {
  test.each([
    [`repeat('a', 50000)`, 'null', '22001'],
    [`repeat('*', 50000)`, 'null', '22001'],
    [`repeat('a', 201)`, 'now()', '22001'],
    [`''`, `'infinity'`, '22008'],
    [`''`, `'-infinity'`, '22008'],
    [`repeat('a', 200)`, 'now()', undefined],
    ['null', 'null', undefined],
  ])('for %s from %s is answered with %s', (words, from, code) =>
    rolledBack(database.owner, async (client) => {
      await become(client, admin);
      expect(
        await attempt(client, () => client.query(`select from search_shifts(${words}, ${from})`)),
      ).toBe(code);
    }),
  );
});

describe('the shift list', () => {
  test('counts guards without cancelled assignments, and gives the staffing state', async () => {
    await rolledBack(database.owner, async (client) => {
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      const look = async () => {
        await become(client, supervisorHere);
        const { rows } = await client.query(
          'select assigned, attended, staffing from shift_board where id = $1',
          [id],
        );
        await becomeOwner(client);
        return rows[0];
      };
      expect(await look()).toEqual({ assigned: 0, attended: 0, staffing: 'none' });
      await assign(client, id, guardHere, bystander);
      expect(await look()).toEqual({ assigned: 2, attended: 0, staffing: 'full' });
      await client.query(
        `update assignments set status = 'cancelled' where shift_id = $1 and user_id = $2`,
        [id, bystander.id],
      );
      expect(await look()).toEqual({ assigned: 1, attended: 0, staffing: 'partial' });
    });
  });

  test('totals the filtered shifts of the sites that the caller can see', async () => {
    await rolledBack(database.owner, async (client) => {
      const id = await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`);
      await shift(client, `${MONDAY} 06:00`, `${MONDAY} 18:00`, {
        site: scene.sites.elsewhere,
        notes: '100%_sure',
      });
      await assign(client, id, guardHere);
      const totals = async (values: unknown[]) => {
        const sql = `select shifts, assigned, required from shift_totals($1, $2, $3, $4, $5)`;
        const span = [`${MONDAY}T00:00:00Z`, `${TUESDAY}T00:00:00Z`];
        return Object.values((await client.query(sql, [...span, ...values])).rows[0]);
      };
      await become(client, dispatcher);
      expect(await totals([null, null, ''])).toEqual([2, 1, 4]);
      expect(await totals([scene.sites.elsewhere, null, ''])).toEqual([1, 0, 2]);
      expect(await totals([null, 'partial', ''])).toEqual([1, 1, 2]);
      expect(await totals([null, null, 'FRONT  her'])).toEqual([1, 1, 2]);
      expect(await totals([null, null, '%_'])).toEqual([1, 0, 2]);
      const week = async (...values: unknown[]) => {
        const sql = 'select shifts, assigned, required from week_totals($1, $2, $3)';
        return (await client.query(sql, [MONDAY, ...values])).rows.map(Object.values);
      };
      const none = Array(6).fill([0, 0, 0]);
      expect(await week(null, '')).toEqual([[2, 1, 4], ...none]);
      expect(await week(scene.sites.elsewhere, '')).toEqual([[1, 0, 2], ...none]);
      // The week view searches sites, not notes.
      expect(await week(null, 'ELSE cli')).toEqual([[1, 0, 2], ...none]);
      expect(await week(null, 'sure')).toEqual([[0, 0, 0], ...none]);
      await become(client, supervisorElsewhere);
      expect(await totals([null, null, ''])).toEqual([1, 0, 2]);
      expect(await week(null, '')).toEqual([[1, 0, 2], ...none]);
    });
  });

  test('has a shift of several days until it is over, in the list, its totals and the coverage of a day', async () => {
    await rolledBack(database.owner, async (client) => {
      const { id: site } = (
        await client.query<{ id: string }>(
          `insert into sites (name, client_name, address, latitude, longitude) values ('Long', 'Client', 'Monrovia', 6.3, -10.8)
           returning id`,
        )
      ).rows[0] ?? { id: '' };
      const from = async (begins: string, ends: string) => {
        const { rows } = await client.query<{ id: string }>(
          `insert into shifts (site_id, start_time, end_time) values ($1, now() + $2::interval, now() + $3::interval)
           returning id`,
          [site, begins, ends],
        );
        return rows[0]?.id;
      };
      await from('-5 days', '-1 minute');
      const long = await from('-5 days', '1 minute');
      const next = await from('1 day', '2 days');
      const covered = async () => {
        const { rows } = await client.query(
          'select sum(required)::int as guards from coverage_by_hour()',
        );
        return Number(rows[0]?.guards);
      };
      await become(client, dispatcher);
      const { rows } = await client.query(
        `select id from search_shifts('', now()) where site_id = $1 order by start_time`,
        [site],
      );
      expect(rows.map(({ id }) => id)).toEqual([long, next]);
      const totals = `select shifts, required from shift_totals(p_site_id => $1, p_search => $2)`;
      for (const words of ['', 'long'])
        expect(Object.values((await client.query(totals, [site, words])).rows[0])).toEqual([2, 2]);
      const before = await covered();
      await becomeOwner(client);
      await client.query('delete from shifts where id = $1', [long]);
      await become(client, dispatcher);
      expect(await covered()).toBeLessThan(before);
    });
  });
});
