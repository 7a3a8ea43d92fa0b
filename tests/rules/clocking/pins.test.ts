// PINs of guards for shared devices.
import type { PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import { setUpClockEvents } from '#tests/support/clock-events.ts';
import {
  admin,
  dispatcher,
  guardHere as guard,
  guardElsewhere,
  supervisorElsewhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { attempt, become, becomeOwner, REFUSED } from '#tests/support/session.ts';

const { onShift } = setUpClockEvents();

const SECRET = 'c7'.repeat(32);

interface Outcome {
  outcome: string;
  message?: string;
}

/** A guard with a start code, at a tablet of the site. */
const withStartCode = (
  work: (
    client: PoolClient,
    code: string,
    setPin: (code: string, pin?: string, person?: string) => Promise<Outcome>,
  ) => Promise<void>,
) =>
  onShift(async (client) => {
    await become(client, admin);
    const { rows: made } = await client.query<{ code: string }>(
      'select code from create_start_code($1)',
      [guard.id],
    );
    await becomeOwner(client);
    await client.query('delete from private.guard_pins; delete from private.start_failures');
    await client.query(
      `with tablet as (
         insert into devices (site_id, name)
         select site_id, 'Gate' from assignments where user_id = $1 limit 1 returning id
       )
       insert into private.device_secrets (device_id, secret_hash)
       select id, private.hash_of_secret($2) from tablet`,
      [guard.id, SECRET],
    );
    await work(client, made[0]?.code ?? '', async (code, pin = '4071', person = guard.id) => {
      await become(client, { claims: null });
      const { rows } = await client.query<{ answer: Outcome }>(
        'select device_set_pin($1, $2, $3, $4) as answer',
        [SECRET, person, code, pin],
      );
      const [row] = rows;
      if (!row) throw new Error('no answer');
      return row.answer;
    });
  });

describe('a start code at the device', () => {
  test('sets the PIN, once, and still opens the account', async () => {
    await withStartCode(async (client, code, setPin) => {
      expect(await setPin(code)).toEqual({ outcome: 'set' });
      expect(await setPin(code)).toEqual({ outcome: 'wrong' });
      await becomeOwner(client);
      const { rows } = await client.query('select private.check_pin($1, $2) as verdict', [
        guard.id,
        '4071',
      ]);
      expect(rows).toEqual([{ verdict: 'right' }]);
      const { rows: taken } = await client.query(
        `select take_start_code(u.email, $2, repeat('x', 32), '203.0.113.7') as answer from auth.users u where u.id = $1`,
        [guard.id, code],
      );
      expect(taken[0].answer).toContain('accepted');
    });
  });

  test('stays when the PIN is too easy', async () => {
    await withStartCode(async (_client, code, setPin) => {
      expect(await setPin(code, '1234')).toEqual({
        outcome: 'refused',
        message: 'Choose a PIN that is harder to guess.',
      });
      expect(await setPin(code)).toEqual({ outcome: 'set' });
    });
  });

  test('replaces a locked PIN', async () => {
    await withStartCode(async (client, code, setPin) => {
      await becomeOwner(client);
      await client.query(`select private.store_pin($1, '8261')`, [guard.id]);
      await client.query('update private.guard_pins set failures = 5, locked_at = now()');
      expect(await setPin(code)).toEqual({ outcome: 'set' });
      await becomeOwner(client);
      const { rows } = await client.query('select failures, locked_at from private.guard_pins');
      expect(rows).toEqual([{ failures: 0, locked_at: null }]);
    });
  });

  test('is blocked after five wrong ones, also for the right one', async () => {
    await withStartCode(async (_client, code, setPin) => {
      const outcomes: string[] = [];
      for (let tries = 0; tries < 6; tries += 1) outcomes.push((await setPin('00000000')).outcome);
      expect(outcomes).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'blocked']);
      expect(await setPin(code)).toEqual({ outcome: 'blocked' });
    });
  });

  test('of a guard of another site, or of a closed account, opens nothing', async () => {
    await withStartCode(async (client, code, setPin) => {
      expect(await setPin(code, '4071', guardElsewhere.id)).toMatchObject({ outcome: 'refused' });
      await becomeOwner(client);
      await client.query(
        `update auth.users set banned_until = now() + interval '1 day' where id = $1`,
        [guard.id],
      );
      expect(await setPin(code)).toEqual({ outcome: 'wrong' });
    });
  });
});

describe('a PIN', () => {
  test.each(['123', '1234567', '12a4', '', '0000', '123456', '4321', '98765'])(
    '%j is refused',
    async (pin) => {
      await onShift(async (client) => {
        await become(client, guard);
        expect(await attempt(client, () => client.query('select set_own_pin($1)', [pin]))).toBe(
          '23514',
        );
      });
    },
  );

  test('is set by overseers of the guard’s sites, and nobody reads it', async () => {
    await onShift(async (client) => {
      for (const [person, allowed] of [
        [admin, true],
        [supervisorHere, true],
        [supervisorElsewhere, false],
        [dispatcher, false],
        [guardElsewhere, false],
      ] as const) {
        await become(client, person);
        const error = await attempt(client, () =>
          client.query('select set_pin($1, $2)', [guard.id, '4071']),
        );
        expect(error).toBe(allowed ? undefined : REFUSED);
        const state = await client.query('select is_set, is_locked from pin_state($1)', [guard.id]);
        expect(state.rows).toEqual(allowed ? [{ is_set: true, is_locked: false }] : []);
        expect(await attempt(client, () => client.query('select * from private.guard_pins'))).toBe(
          REFUSED,
        );
      }
    });
  });
});
