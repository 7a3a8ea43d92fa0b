// The token beside a queue whose owner has signed out delivers what is queued, as its owner, and opens nothing else.
import { createHash } from 'node:crypto';
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, guardHere, newcomer } from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { attempt, become, becomeOwner, REFUSED, rolledBack } from '#tests/support/session.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

const DEVICE = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6a';
const VISITOR = { claims: null };

async function tokenOf(client: PoolClient, person = guardHere, device = DEVICE) {
  await become(client, person);
  const { rows } = await client.query<{ token: string }>(
    'select token from make_delivery_token($1)',
    [device],
  );
  return rows[0]?.token ?? '';
}

type Delivery = { token: string; device?: string };

/** As the phone does, with nobody signed in. */
async function deliver(
  client: PoolClient,
  { token, device = DEVICE }: Delivery,
  call: string,
  values: Record<string, unknown>,
) {
  await become(client, VISITOR);
  return client.query('select deliver($1, $2, $3, $4)', [token, device, call, values]);
}

const owner = async (client: PoolClient, sql: string, values: unknown[] = []) => {
  await becomeOwner(client);
  return (await client.query<Record<string, unknown>>(sql, values)).rows;
};

const sos = () => ({ p_id: crypto.randomUUID(), p_gps: '6.3,-10.8' });

const report = (change: object = {}) => ({
  ...{ id: crypto.randomUUID(), raised_by_user_id: guardHere.id, site_id: scene.sites.here },
  ...{ title: 'Gate found open', category: 'other', severity: 'low', status: 'open' },
  description: 'The vehicle gate was open and unlocked when I came on duty.',
  ...change,
});

describe('a delivery token', () => {
  test('delivers a clock event and a report as their owner, and returns nothing of them', () =>
    rolledBack(database.owner, async (client) => {
      const token = await tokenOf(client);
      const [open] = await owner(
        client,
        `select a.id from assignments a join attendance r on r.assignment_id = a.id
         where a.user_id = $1 and r.clock_out_at is null limit 1`,
        [guardHere.id],
      );
      const event = {
        ...{ p_id: crypto.randomUUID(), p_kind: 'out', p_assignment_id: open?.id },
        ...{ p_device_at: new Date().toISOString(), p_server_offset_ms: 0, p_gps: '6.3,-10.8' },
      };
      const answer = await deliver(client, { token }, 'record_clock_event', event);
      expect(answer.rows).toEqual([{ deliver: true }]);
      await deliver(client, { token }, 'record_clock_event', event);
      expect(
        await owner(client, 'select user_id, kind, way from clock_events where id = $1', [
          event.p_id,
        ]),
      ).toEqual([{ user_id: guardHere.id, kind: 'out', way: 'phone' }]);

      const incident = report();
      await deliver(client, { token }, 'incidents', incident);
      await deliver(client, { token }, 'incidents', incident);
      expect(
        await owner(client, 'select raised_by_user_id from incidents where id = $1', [incident.id]),
      ).toEqual([{ raised_by_user_id: guardHere.id }]);
    }));

  test('delivers what its owner said about a shift, and that they took it back', () =>
    rolledBack(database.owner, async (client) => {
      const token = await tokenOf(client);
      const notice = {
        ...{ p_id: crypto.randomUUID(), p_kind: 'running_late', p_reason: 'Bus broke down' },
        ...{ p_assignment_id: scene.unattended.get(`${guardHere.id} here`), p_minutes: 20 },
        ...{ p_device_at: new Date().toISOString(), p_server_offset_ms: 0 },
      };
      const stored = () =>
        owner(
          client,
          'select user_id, ended_at is null as stands from duty_notices where id = $1',
          [notice.p_id],
        );
      await deliver(client, { token }, 'report_duty_notice', notice);
      await deliver(client, { token }, 'report_duty_notice', notice);
      expect(await stored()).toEqual([{ user_id: guardHere.id, stands: true }]);
      await deliver(client, { token }, 'withdraw_duty_notice', { p_id: notice.p_id });
      expect(await stored()).toEqual([{ user_id: guardHere.id, stands: false }]);
    }));

  test('acts under its owner’s policies, and leaves the caller a visitor', () =>
    rolledBack(database.owner, async (client) => {
      const token = await tokenOf(client);
      const forOther = report({ raised_by_user_id: newcomer.id });
      expect(await attempt(client, () => deliver(client, { token }, 'incidents', forOther))).toBe(
        REFUSED,
      );
      await deliver(client, { token }, 'raise_sos', sos());
      const { rows } = await client.query(
        `select current_user as role, auth.uid() as id, current_setting('request.jwt.claims') as claims`,
      );
      expect(rows).toEqual([{ role: 'anon', id: null, claims: '{"role":"anon"}' }]);
      for (const table of ['profiles', 'shifts', 'incidents', 'clock_events']) {
        expect(await attempt(client, () => client.query(`select from ${table}`)), table).toBe(
          REFUSED,
        );
      }
    }));

  test.each([
    ...['my_payslips', 'set_account_disabled', 'sign_out_everywhere', 'make_delivery_token'],
    ...['end_session', 'profiles', 'user_roles', 'clock_events', 'deliver', 'pg_catalog.pg_sleep'],
    ...['incidents; drop table incidents', '', 'incidents (id) values (1) --'],
  ])('is refused for %o, also of an admin', (call) =>
    rolledBack(database.owner, async (client) => {
      const token = await tokenOf(client, admin);
      const refused = () => deliver(client, { token }, call, { user_id: guardHere.id });
      expect(await attempt(client, refused)).toBe('PT403');
    }),
  );

  test('is of one person and one device, runs out, and can be ended', () =>
    rolledBack(database.owner, async (client) => {
      const isRefused = async (delivery: Delivery) =>
        attempt(client, () => deliver(client, delivery, 'raise_sos', sos()));
      const token = await tokenOf(client);
      expect(await isRefused({ token })).toBeUndefined();
      expect(await isRefused({ token, device: crypto.randomUUID() })).toBe('PT401');
      expect(await isRefused({ token: `${token}0` })).toBe('PT401');

      // A phone has one for each of its users, and a new one replaces it.
      const other = await tokenOf(client, newcomer);
      const next = await tokenOf(client);
      expect(await isRefused({ token })).toBe('PT401');
      expect(await isRefused({ token: next })).toBeUndefined();
      expect(await isRefused({ token: other })).toBeUndefined();

      for (const change of [`expires_at = now()`, `deliveries = 1000`]) {
        const changed = await tokenOf(client);
        await owner(client, `update private.delivery_tokens set ${change} where user_id = $1`, [
          guardHere.id,
        ]);
        expect(await isRefused({ token: changed }), change).toBe('PT401');
      }
      const ended = await tokenOf(client);
      await become(client, VISITOR);
      await client.query('select end_delivery_token($1, $2)', [ended, DEVICE]);
      expect(await isRefused({ token: ended })).toBe('PT401');

      const stopped = await tokenOf(client);
      await become(client, admin);
      await client.query('select sign_out_everywhere($1)', [guardHere.id]);
      expect(await isRefused({ token: stopped })).toBe('PT401');
    }));

  test('of a disabled account delivers nothing, and is stored as a hash', () =>
    rolledBack(database.owner, async (client) => {
      const token = await tokenOf(client);
      const hashes = await owner(
        client,
        `select encode(token_hash, 'hex') as hash
        from private.delivery_tokens`,
      );
      expect(hashes).toEqual([{ hash: createHash('sha256').update(token).digest('hex') }]);
      await become(client, admin);
      await client.query('select set_account_disabled($1, true)', [guardHere.id]);
      const refused = () => deliver(client, { token }, 'raise_sos', sos());
      expect(await attempt(client, refused)).toBe('PT401');
    }));

  test('is made by members alone, ten for one person', () =>
    rolledBack(database.owner, async (client) => {
      for (let made = 0; made < 12; made += 1) {
        await tokenOf(client, guardHere, crypto.randomUUID());
      }
      expect(await owner(client, 'select count(*)::int as n from private.delivery_tokens')).toEqual(
        [{ n: 10 }],
      );
      await become(client, VISITOR);
      const made = () => client.query('select make_delivery_token($1)', [DEVICE]);
      expect(await attempt(client, made)).toBe(REFUSED);
    }));
});

describe('the hash of a refresh token', () => {
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex');

  test('ends its session, as stored here and as Supabase stores it, and no other', () =>
    rolledBack(database.owner, async (client) => {
      const [here, there, other] = [1, 2, 3].map(() => crypto.randomUUID());
      for (const [session, stored] of [
        [here, hashOf('token here')],
        [there, 'token there'],
        [other, 'token other'],
      ]) {
        await owner(
          client,
          `insert into auth.sessions (id, user_id, created_at) values ($1, $2, now())`,
          [session, guardHere.id],
        );
        await owner(
          client,
          `insert into auth.refresh_tokens (token, user_id, session_id, revoked)
           values ($1, $2, $3, false)`,
          [stored, guardHere.id, session],
        );
      }
      const left = async () =>
        (
          await owner(client, `select id from auth.sessions where id = any ($1)`, [
            [here, there, other],
          ])
        ).map(({ id }) => id);
      const end = async (session: string | null | undefined, proof: string) => {
        await become(client, VISITOR);
        await client.query('select end_left_session($1, $2)', [session, proof]);
      };
      await end(other, hashOf('guessed'));
      await end(other, 'token other');
      await end(other, hashOf('token there'));
      expect(await left()).toHaveLength(3);
      await end(null, hashOf('token here'));
      await end(there, hashOf('token there'));
      expect(await left()).toEqual([other]);
    }));
});
