// Alarm panels: kept by managers, with a secret that is shown once and that nobody reads afterwards.
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { dispatcher, opsManager, supervisorEverywhere } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, call, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const PANEL = '00000000-0000-4000-8000-0000000a1a01';

const save = (client: PoolClient, name: string, seen: unknown = null) =>
  client.query('select * from save_panel($1, $2, $3, $4, $5)', [
    PANEL,
    name,
    scene.sites.here,
    ' 12af ',
    seen,
  ]);
const makeSecret = (client: PoolClient) => call<string>(client, 'new_panel_secret($1)', [PANEL]);
const take = async (client: PoolClient, key: string, signal = 'alarm') =>
  (
    await client.query(
      `select * from private.take_panel_event($1, $2, $3, 'intruder', 'urgent', 'Zone 1')`,
      [PANEL, key, signal],
    )
  ).rows[0];

test('managers add, change and remove panels; each secret replaces the one before', () =>
  rolledBack(database.owner, async (client) => {
    await become(client, opsManager);
    await save(client, ' Panel of the store ');
    const { rows } = await save(client, 'Panel of the store');
    expect(rows).toMatchObject([{ name: 'Panel of the store', account: '12AF' }]);
    expect(await attempt(client, () => save(client, 'Stale', '2020-01-01'))).toBe('PT409');
    const [first, second] = [await makeSecret(client), await makeSecret(client)];
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    expect(
      await attempt(client, () => client.query('select secret from private.panel_secrets')),
    ).toBe(REFUSED);
    for (const person of [dispatcher, supervisorEverywhere]) {
      await become(client, person);
      expect(await attempt(client, () => save(client, 'x'))).toBe(REFUSED);
      expect(await attempt(client, () => makeSecret(client))).toBe(REFUSED);
      expect(await attempt(client, () => client.query('select delete_panel($1)', [PANEL]))).toBe(
        REFUSED,
      );
    }
    await becomeOwner(client);
    expect(await take(client, '1')).toMatchObject({ outcome: 'call' });
    await become(client, opsManager);
    await client.query('select delete_panel($1)', [PANEL]);
    await becomeOwner(client);
    expect(await take(client, '2')).toEqual({ outcome: 'no_panel', call_id: null });
    const { rows: kept } = await client.query(
      `select details from service_calls where source = 'panel'`,
    );
    expect(kept).toEqual([{ details: 'Zone 1' }]);
  }));

test('an alarm after its call was closed is a call again', () =>
  rolledBack(database.owner, async (client) => {
    await become(client, opsManager);
    await save(client, 'Panel');
    await makeSecret(client);
    await becomeOwner(client);
    const first = await take(client, '1');
    expect(await take(client, '2')).toEqual({ outcome: 'noted', call_id: first.call_id });
    await become(client, dispatcher);
    await client.query(`select close_call($1, 'false_alarm')`, [first.call_id]);
    await becomeOwner(client);
    expect(await take(client, '3', 'restore')).toEqual({ outcome: 'stored', call_id: null });
    expect(await take(client, '2')).toEqual({ outcome: 'repeated', call_id: first.call_id });
    expect((await take(client, '4')).call_id).not.toBe(first.call_id);
  }));
