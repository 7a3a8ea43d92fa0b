import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  bystander,
  guardHere,
  opsManager,
  type Person,
  people,
} from '#tests/support/people.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import {
  asPerson,
  attempt,
  become,
  becomeOwner,
  REFUSED,
  rolledBack,
} from '#tests/support/session.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

/** The person with a session at this assurance level. */
async function onDevice(client: PoolClient, person: Person, aal = 'aal1'): Promise<Person> {
  const id = crypto.randomUUID();
  await client.query(
    `insert into auth.sessions (id, user_id, created_at, aal, user_agent, ip)
     values ($1, $2, clock_timestamp(), $3::auth.aal_level, 'Browser', '203.0.113.9')`,
    [id, person.id, aal],
  );
  return { ...person, claims: { ...person.claims, aal, session_id: id } };
}

async function addFactor(client: PoolClient, person: Person): Promise<void> {
  await client.query(
    `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'verified', now(), now())`,
    [person.id],
  );
}

const one = async (client: PoolClient, person: Person, sql: string, values: unknown[] = []) => {
  await become(client, person);
  const { rows } = await client.query<{ answer: unknown }>(sql, values);
  await becomeOwner(client);
  return rows[0]?.answer;
};

const USE = 'select use_recovery_code($1) as answer';
const seesClients = async (client: PoolClient, person: Person): Promise<boolean> =>
  (await one(client, person, 'select count(*) > 0 as answer from clients')) === true;

describe('sessions', () => {
  test('are listed to their owner only, newest first, with the current one marked', async () => {
    await rolledBack(database.owner, async (client) => {
      const old = await onDevice(client, opsManager);
      const here = await onDevice(client, opsManager);
      await onDevice(client, guardHere);
      await become(client, here);
      const { rows } = await client.query(
        'select id, user_agent, ip, aal, "current" from my_sessions()',
      );
      expect(rows).toEqual([
        {
          id: here.claims?.session_id,
          user_agent: 'Browser',
          ip: '203.0.113.9',
          aal: 'aal1',
          current: true,
        },
        expect.objectContaining({ id: old.claims?.session_id, current: false }),
      ]);
    });
  });

  test('end one by one, also for their open token, and other users’ sessions stay', async () => {
    await rolledBack(database.owner, async (client) => {
      const lost = await onDevice(client, opsManager);
      const here = await onDevice(client, opsManager);
      const other = await onDevice(client, guardHere);
      expect(await seesClients(client, lost)).toBe(true);
      await one(client, here, 'select end_session($1)', [lost.claims?.session_id]);
      await one(client, here, 'select end_session($1)', [other.claims?.session_id]);
      expect(await seesClients(client, lost)).toBe(false);
      expect(await seesClients(client, here)).toBe(true);
      const left = await client.query('select user_id from auth.sessions order by created_at');
      expect(left.rows).toEqual([{ user_id: opsManager.id }, { user_id: guardHere.id }]);
      const { rows } = await client.query(
        `select payload ->> 'action' as action, payload ->> 'actor_id' as actor, ip_address from auth.audit_log_entries`,
      );
      expect(rows).toEqual([{ action: 'logout', actor: opsManager.id, ip_address: '203.0.113.9' }]);
    });
  });

  test('are closed to anon', async () => {
    for (const sql of ['select my_sessions()', 'select end_session(gen_random_uuid())']) {
      await expect(asPerson(database.owner, { claims: null }, sql)).rejects.toMatchObject({
        code: REFUSED,
      });
    }
  });
});

describe('a user with a verified factor at aal1', () => {
  test('reads no company data, session or recovery code', async () => {
    await rolledBack(database.owner, async (client) => {
      await addFactor(client, admin);
      const half = await onDevice(client, admin);
      for (const table of [
        'clients',
        'payroll',
        'user_roles',
        'security_events',
        'my_sessions()',
      ]) {
        expect(await one(client, half, `select count(*)::int as answer from ${table}`), table).toBe(
          0,
        );
      }
      expect(await one(client, half, 'select recovery_codes_left() as answer')).toBe(0);
      for (const sql of [
        'select create_recovery_codes()',
        'select end_session(gen_random_uuid())',
        `select set_account_disabled('${bystander.id}', true)`,
        `select sign_out_everywhere('${bystander.id}')`,
      ]) {
        await become(client, half);
        expect(await attempt(client, () => client.query(sql)), sql).toBe(REFUSED);
        await becomeOwner(client);
      }
      const full = await onDevice(client, admin, 'aal2');
      expect(await seesClients(client, full)).toBe(true);
    });
  });
});

describe('recovery codes', () => {
  const create = async (client: PoolClient, person: Person): Promise<string[]> => {
    const made = await one(client, person, 'select create_recovery_codes() as answer');
    return Array.isArray(made) ? made.map(String) : [];
  };

  test('are ten, readable, stored as hashes, and replace older ones', async () => {
    await rolledBack(database.owner, async (client) => {
      await addFactor(client, opsManager);
      const here = await onDevice(client, opsManager, 'aal2');
      const older = await create(client, here);
      const codes = await create(client, here);
      expect(new Set([...older, ...codes]).size).toBe(20);
      for (const code of codes)
        expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
      expect(await one(client, here, 'select recovery_codes_left() as answer')).toBe(10);
      const { rows } = await client.query('select code_hash::text from private.recovery_codes');
      expect(JSON.stringify(rows)).not.toContain(codes[0]);
      expect(await one(client, await onDevice(client, opsManager), USE, [older[0]])).toBe('wrong');
    });
  });

  test('need a verified factor and a session at aal2', async () => {
    await rolledBack(database.owner, async (client) => {
      for (const aal of ['aal1', 'aal2']) {
        await become(client, await onDevice(client, opsManager, aal));
        const code = await attempt(client, () => client.query('select create_recovery_codes()'));
        expect(code).toBe(REFUSED);
        await becomeOwner(client);
      }
    });
  });

  test('raise the session instead of the factor: factors and other sessions end, and it is logged', async () => {
    await rolledBack(database.owner, async (client) => {
      await addFactor(client, opsManager);
      const lost = await onDevice(client, opsManager, 'aal2');
      const codes = await create(client, lost);
      const here = await onDevice(client, opsManager);
      const typed = ` ${String(codes[0]).toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `;
      expect(await seesClients(client, here)).toBe(false);
      expect(await one(client, here, USE, [typed])).toBe('accepted');
      expect(await seesClients(client, here)).toBe(true);
      expect(await seesClients(client, lost)).toBe(false);
      const factors = await client.query('select from auth.mfa_factors where user_id = $1', [
        opsManager.id,
      ]);
      expect(factors.rowCount).toBe(0);
      expect(await one(client, here, 'select recovery_codes_left() as answer')).toBe(9);
      const { rows } = await client.query(
        `select payload ->> 'action' as action from auth.audit_log_entries order by payload ->> 'action'`,
      );
      expect(rows).toEqual([
        { action: 'recovery_code_used' },
        { action: 'recovery_codes_created' },
      ]);
      // A used code stays used after a new factor is added.
      await addFactor(client, opsManager);
      expect(await one(client, here, USE, [codes[0]])).toBe('wrong');
    });
  });

  test('of another user are refused, and five wrong ones lock for a while', async () => {
    await rolledBack(database.owner, async (client) => {
      await addFactor(client, opsManager);
      await addFactor(client, guardHere);
      const codes = await create(client, await onDevice(client, opsManager, 'aal2'));
      const guard = await onDevice(client, guardHere);
      for (const guess of [codes[0], '', 'x'.repeat(100_000), "' or 1=1 --", '0000']) {
        expect(await one(client, guard, USE, [guess])).toBe('wrong');
      }
      expect(await one(client, guard, USE, [codes[0]])).toBe('blocked');
      const own = await onDevice(client, opsManager);
      expect(await one(client, own, USE, [codes[1]])).toBe('accepted');
      await client.query(`update private.recovery_failures set at = at - interval '16 minutes'`);
      expect(await one(client, guard, USE, ['0000'])).toBe('wrong');
    });
  });

  test('work once, even from many devices at the same time', async () => {
    const { owner } = database;
    const devices = await kept(async (client) => {
      await addFactor(client, bystander);
      const full = await onDevice(client, bystander, 'aal2');
      const [code] = await create(client, full);
      const half = await onDevice(client, bystander);
      return { code, half };
    });
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const client = await owner.connect();
        try {
          await client.query('begin');
          await become(client, devices.half);
          const { rows } = await client.query(USE, [devices.code]);
          await client.query('commit');
          return rows[0].answer;
        } finally {
          client.release(true);
        }
      }),
    );
    expect(answers.sort()).toEqual(['accepted', 'wrong', 'wrong', 'wrong']);
  });

  test('are closed to anon and to a token without a session', async () => {
    for (const person of [people[0], opsManager]) {
      await expect(
        asPerson(database.owner, { claims: person?.claims ?? null }, USE, ['x']),
      ).rejects.toMatchObject({ code: REFUSED });
    }
  });
});

/** Runs `work` in a transaction and commits it. */
async function kept<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await database.owner.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } finally {
    client.release(true);
  }
}
