// PINs of guards for shared devices.
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
import { attempt, become, REFUSED } from '#tests/support/session.ts';

const { onShift } = setUpClockEvents();

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
