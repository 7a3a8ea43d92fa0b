import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  bystander,
  dispatcher,
  guardHere,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { buildScene, type Scene } from '#tests/support/scene.ts';
import { become, becomeOwner, rolledBack } from '#tests/support/session.ts';

import { MONDAY, shiftWriters, TUESDAY } from '#tests/support/shift-writers.ts';

let database: TestDatabase;
let scene: Scene;
const { shift, assign } = shiftWriters(() => scene);

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
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
});
