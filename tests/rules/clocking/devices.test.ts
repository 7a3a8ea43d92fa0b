// Guards without a phone: shared devices with PINs, and musters.
import type { PoolClient } from 'pg';
import { describe, expect, test } from 'vitest';
import { HOUR, setUpClockEvents } from '#tests/support/clock-events.ts';
import {
  admin,
  bystander,
  dispatcher,
  guardHere as guard,
  guardElsewhere,
  type Person,
  supervisorElsewhere,
  supervisorEverywhere,
  supervisorHere,
} from '#tests/support/people.ts';
import { attempt, become, becomeOwner, call, REFUSED, refusal } from '#tests/support/session.ts';

const { onShift } = setUpClockEvents();

const PIN = '4071';
const SECRET = 'a5'.repeat(32);
const DEVICE: Pick<Person, 'claims'> = { claims: null };
/** The first bytes of a JPEG. */
const PHOTO = Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64');

interface Answer {
  outcome: string;
  message?: string;
}

async function bind(client: PoolClient, secret = SECRET) {
  await becomeOwner(client);
  const site = await client.query(`select id from sites where name = 'Here'`);
  await become(client, admin);
  const { rows } = await client.query(`select * from add_device($1, 'Gate tablet')`, [
    site.rows[0].id,
  ]);
  await become(client, DEVICE);
  const answer = await call<Answer>(client, 'device_bind($1, $2)', [rows[0].code, secret]);
  return { id: rows[0].device_id, code: rows[0].code, answer };
}

async function givePin(client: PoolClient, pin = PIN) {
  await become(client, guard);
  await client.query('select set_own_pin($1)', [pin]);
}

interface Sent {
  assignment: string;
  id?: string;
  kind?: 'in' | 'out';
  pin?: string;
  /** Milliseconds from now. */
  at?: number;
  queued?: boolean;
  photo?: string;
  person?: string;
}

async function clock(client: PoolClient, sent: Sent) {
  await become(client, DEVICE);
  return call<Answer>(
    client,
    `device_clock(p_secret => $1, p_id => $2, p_assignment_id => $3, p_user_id => $4, p_kind => $5, p_pin => $6,
       p_device_at => $7, p_photo => $8, p_queued => $9)`,
    [
      SECRET,
      sent.id ?? crypto.randomUUID(),
      sent.assignment,
      sent.person ?? guard.id,
      sent.kind ?? 'in',
      sent.pin ?? PIN,
      new Date(Date.now() + (sent.at ?? 0)),
      sent.photo ?? null,
      sent.queued ?? false,
    ],
  );
}

async function read(client: PoolClient, sql: string) {
  await becomeOwner(client);
  return (await client.query(sql)).rows;
}
const records = (client: PoolClient) =>
  read(client, 'select clock_in_way, clock_out_way, flags from attendance');
const exceptions = (client: PoolClient) =>
  read(client, 'select reason, kind from clock_exceptions');

/** A guard on shift with a PIN, and a bound device. */
const atTheGate = (
  work: (client: PoolClient, assignment: string, device: string) => Promise<void>,
) =>
  onShift(async (client, assignment) => {
    await becomeOwner(client);
    await client.query('delete from clock_exceptions');
    const { id } = await bind(client);
    await givePin(client);
    await work(client, assignment, id);
  });

describe('a device', () => {
  test('is bound once by its code, also when the first response was lost', async () => {
    await onShift(async (client) => {
      const { code, answer } = await bind(client);
      expect(answer).toEqual({ outcome: 'bound' });
      const again = (secret: string) =>
        call<Answer>(client, 'device_bind($1, $2)', [` ${code.toLowerCase()} `, secret]);
      expect(await again(SECRET)).toEqual({ outcome: 'bound' });
      expect(await again('b6'.repeat(32))).toEqual({ outcome: 'wrong' });
    });
  });

  test('can’t be bound with an old code, nor by guessing', async () => {
    await onShift(async (client) => {
      const { code } = await bind(client);
      await becomeOwner(client);
      await client.query(
        `update private.device_secrets set code_used_at = null, code_expires_at = now() - interval '1 minute'`,
      );
      await become(client, DEVICE);
      const outcomes: string[] = [];
      for (let tries = 0; tries < 31; tries += 1) {
        const { outcome } = await call<Answer>(client, 'device_bind($1, $2)', [code, SECRET]);
        outcomes.push(outcome);
      }
      expect(outcomes.slice(0, 30)).toEqual(Array(30).fill('wrong'));
      expect(outcomes[30]).toBe('blocked');
    });
  });

  test('is bound while others guess from elsewhere, and a bound one while they guess beside it', async () => {
    await onShift(async (client) => {
      const from = (address: string) =>
        client.query(`select set_config('request.headers', $1, true)`, [
          JSON.stringify({ 'x-forwarded-for': address }),
        ]);
      const guess = (secret: string, code = 'WRONGCOD') =>
        call<Answer>(client, 'device_bind($1, $2)', [code, secret]);
      await from('2001:db8:0:1::1');
      await become(client, DEVICE);
      for (let tries = 0; tries < 30; tries += 1) await guess('0b'.repeat(32));
      // Another address of the same network.
      await from('2001:db8:0:1::2');
      expect(await guess('0b'.repeat(32))).toEqual({ outcome: 'blocked' });
      await from('2001:db8:0:2::1');
      const { code, answer } = await bind(client);
      expect(answer).toEqual({ outcome: 'bound' });
      await from('2001:db8:0:1::1');
      expect(await guess(SECRET, code)).toEqual({ outcome: 'bound' });
      for (let tries = 0; tries < 30; tries += 1) await guess(SECRET);
      expect(await guess(SECRET)).toEqual({ outcome: 'blocked' });
    });
  });

  test('that is revoked can do nothing from then on, and goes on with a new code', async () => {
    await atTheGate(async (client, assignment, device) => {
      await become(client, admin);
      await client.query('select revoke_device($1)', [device]);
      const refused = await refusal(client, () => clock(client, { assignment }));
      expect(refused.code).toBe('PT401');
      expect((await refusal(client, () => call(client, 'device_people($1)', [SECRET]))).code).toBe(
        'PT401',
      );
      await become(client, admin);
      const { rows } = await client.query('select code from new_device_code($1)', [device]);
      await become(client, DEVICE);
      await call(client, 'device_bind($1, $2)', [rows[0].code, SECRET]);
      expect(await clock(client, { assignment })).toMatchObject({ outcome: 'recorded' });
    });
  });

  test.each([supervisorHere, dispatcher, guard])(
    'is added by managers, not by a %s',
    async (person) => {
      await onShift(async (client) => {
        const [site] = await read(client, `select id from sites where name = 'Here'`);
        await become(client, person);
        const error = await attempt(client, () =>
          client.query(`select add_device($1, 'Tablet')`, [site.id]),
        );
        expect(error).toBe(REFUSED);
      });
    },
  );

  test('learns the guards of its site by name, and nothing else of them', async () => {
    await atTheGate(async (client, assignment) => {
      await become(client, DEVICE);
      const known = await call<{ people: object[] }>(client, 'device_people($1)', [SECRET]);
      expect(known).toMatchObject({ device: { name: 'Gate tablet' }, site: { name: 'Here' } });
      expect(known.people).toEqual([
        {
          assignment_id: assignment,
          user_id: guard.id,
          name: guard.name,
          role: 'Guard',
          start_time: expect.any(String),
          end_time: expect.any(String),
          state: 'none',
          has_pin: true,
        },
      ]);
    });
  });
});

describe('a guard on a shared device', () => {
  test('clocks in and out with a PIN and a picture, each once however often it is sent', async () => {
    await atTheGate(async (client, assignment) => {
      const first: Sent = { assignment, id: crypto.randomUUID(), photo: PHOTO };
      expect(await clock(client, first)).toMatchObject({ outcome: 'recorded' });
      // The PIN isn't asked for again: the response was lost, not the event.
      expect(await clock(client, { ...first, pin: '0000' })).toMatchObject({ outcome: 'recorded' });
      await clock(client, { assignment, kind: 'out' });
      expect(await records(client)).toEqual([
        { clock_in_way: 'device', clock_out_way: 'device', flags: ['left_early'] },
      ]);
      for (const [person, seen] of [
        [supervisorHere, PHOTO],
        [dispatcher, PHOTO],
        [guard, PHOTO],
        [supervisorElsewhere, null],
        [guardElsewhere, null],
      ] as const) {
        await become(client, person);
        expect(await call(client, 'clock_photo($1)', [first.id])).toBe(seen);
      }
    });
  });

  test.each([
    ['a text', Buffer.from('not a picture').toString('base64')],
    ['broken', '%%%'],
    [
      'too large',
      Buffer.concat([Buffer.from('ffd8ff', 'hex'), Buffer.alloc(41_000)]).toString('base64'),
    ],
  ])('clocks in although the picture is %s', async (_what, photo) => {
    await atTheGate(async (client, assignment) => {
      expect(await clock(client, { assignment, photo })).toMatchObject({ outcome: 'recorded' });
      expect(await read(client, 'select from private.clock_photos')).toEqual([]);
    });
  });

  test('without a PIN is recorded, and a single wrong PIN is not', async () => {
    await atTheGate(async (client, assignment) => {
      expect(await clock(client, { assignment, pin: '9999' })).toMatchObject({
        outcome: 'wrong',
        is_recorded: false,
      });
      expect(await exceptions(client)).toEqual([]);
      await client.query('delete from private.guard_pins');
      expect(await clock(client, { assignment })).toMatchObject({
        outcome: 'none',
        is_recorded: true,
      });
      expect(await exceptions(client)).toEqual([{ reason: 'no_pin', kind: 'in' }]);
    });
  });

  test('is locked out after five wrong PINs until an overseer unlocks', async () => {
    await atTheGate(async (client, assignment) => {
      const outcomes: string[] = [];
      for (let tries = 0; tries < 6; tries += 1) {
        const pin = tries === 5 ? PIN : '9999';
        outcomes.push((await clock(client, { assignment, pin })).outcome);
      }
      expect(outcomes).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'locked', 'locked']);
      expect(await records(client)).toEqual([]);
      expect(await exceptions(client)).toEqual([{ reason: 'locked', kind: 'in' }]);
      for (const person of [guard, dispatcher, supervisorElsewhere]) {
        await become(client, person);
        expect(await attempt(client, () => client.query('select unlock_pin($1)', [guard.id]))).toBe(
          REFUSED,
        );
      }
      await become(client, supervisorHere);
      await client.query('select unlock_pin($1)', [guard.id]);
      expect(await clock(client, { assignment })).toMatchObject({ outcome: 'recorded' });
    });
  });

  test('whose wrong PIN arrives later makes an exception, once, and no record', async () => {
    await atTheGate(async (client, assignment) => {
      const sent: Sent = {
        assignment,
        id: crypto.randomUUID(),
        pin: '9999',
        at: -HOUR,
        queued: true,
        photo: PHOTO,
      };
      expect(await clock(client, sent)).toMatchObject({ outcome: 'exception' });
      expect(await clock(client, { ...sent, pin: PIN })).toMatchObject({ outcome: 'exception' });
      expect(await records(client)).toEqual([]);
      expect(await exceptions(client)).toEqual([{ reason: 'wrong_pin', kind: 'in' }]);
      await become(client, supervisorElsewhere);
      const close = () => client.query('select close_clock_exception($1)', [sent.id]);
      expect(await attempt(client, close)).toBe('PT404');
      await become(client, supervisorHere);
      expect(await call(client, 'clock_photo($1)', [sent.id])).toBe(PHOTO);
      await close();
      const closer = 'select closed_by from clock_exceptions';
      expect(await read(client, closer)).toEqual([{ closed_by: supervisorHere.id }]);
      // The first to close it counts.
      await become(client, admin);
      await close();
      expect(await read(client, closer)).toEqual([{ closed_by: supervisorHere.id }]);
      await become(client, supervisorHere);
      await client.query('select close_clock_exception($1, false)', [sent.id]);
      expect(await read(client, closer)).toEqual([{ closed_by: null }]);
    });
  });

  test('whose event is an exception: those who decide about it get a notice, once', async () => {
    await atTheGate(async (client, assignment) => {
      const sent: Sent = { assignment, id: crypto.randomUUID(), pin: '9999', queued: true };
      await read(client, 'delete from notices');
      await clock(client, sent);
      await clock(client, sent);
      const notices = `select p.full_name as name, n.body from notices n join profiles p on p.id = n.user_id
        where n.kind = 'clock_exception' order by 1`;
      const told = await read(client, notices);
      expect(told.map(({ name }) => name)).toEqual([
        supervisorEverywhere.name,
        supervisorHere.name,
      ]);
      expect(told[0].body).toMatch(/^guard on the site, clock-in .*, Here: the PIN was wrong$/);
      // Nobody supervises the site: the operations managers and admins.
      await client.query(`delete from user_roles where role = 'supervisor'; delete from notices`);
      await clock(client, { ...sent, id: crypto.randomUUID() });
      const roles = `select distinct r.role from notices n join user_roles r on r.user_id = n.user_id
        where n.kind = 'clock_exception' and r.role in ('admin', 'ops_manager', 'dispatcher') order by 1`;
      expect(await read(client, roles)).toEqual([{ role: 'admin' }, { role: 'ops_manager' }]);
    });
  });

  test('whose event the rules refuse gets the reason, and the attempt is recorded, once an hour', async () => {
    await atTheGate(async (client, assignment) => {
      for (let press = 0; press < 2; press += 1) {
        expect(await clock(client, { assignment, kind: 'out' })).toMatchObject({
          outcome: 'refused',
          message: expect.stringContaining('There is no clock-in'),
          is_recorded: true,
        });
      }
      expect(await exceptions(client)).toEqual([{ reason: 'refused', kind: 'out' }]);
      await clock(client, { assignment, kind: 'out', queued: true });
      expect(await exceptions(client)).toHaveLength(2);
      // Another guard's shift, and a shift that doesn't exist.
      for (const odd of [{ person: guardElsewhere.id }, { assignment: crypto.randomUUID() }]) {
        expect(await clock(client, { assignment, ...odd })).toMatchObject({ outcome: 'refused' });
      }
    });
  });

  test('of another site or of nowhere makes no exception, whatever the device sends', async () => {
    await atTheGate(async (client, assignment) => {
      for (const person of [guardElsewhere.id, admin.id, crypto.randomUUID()]) {
        for (const wanted of [assignment, crypto.randomUUID()]) {
          expect(
            await clock(client, { assignment: wanted, person, queued: true, pin: '9999' }),
          ).toMatchObject({ outcome: 'refused' });
        }
      }
      expect(await exceptions(client)).toEqual([]);
    });
  });

  test('whose shift was deleted since still gets an exception for what waited', async () => {
    await atTheGate(async (client, assignment) => {
      await becomeOwner(client);
      await client.query(`delete from clock_events; delete from attendance;
        delete from assignments where user_id = '${guard.id}'`);
      expect(await clock(client, { assignment, queued: true })).toMatchObject({
        outcome: 'exception',
      });
    });
  });

  test('makes twenty exceptions a day, and a device three hundred; the device keeps the rest', async () => {
    await atTheGate(async (client, assignment, device) => {
      const send = () => clock(client, { assignment, kind: 'out', queued: true });
      for (let sent = 0; sent < 20; sent += 1) await send();
      const tooMany = async () => (await refusal(client, send)).code;
      expect(await tooMany()).toBe('PT429');
      await becomeOwner(client);
      await client.query(`update clock_exceptions set received_at = now() - interval '25 hours'`);
      await client.query(
        `insert into clock_exceptions (device_id, site_id, user_id, kind, device_at, reason)
         select $1, (select site_id from devices where id = $1), $2, 'in', now(), 'refused' from generate_series(1, 300)`,
        [device, bystander.id],
      );
      expect(await tooMany()).toBe('PT429');
    });
  });

  test('without a PIN is asked to get one', async () => {
    await onShift(async (client, assignment) => {
      await bind(client);
      expect(await clock(client, { assignment })).toMatchObject({ outcome: 'none' });
    });
  });
});

describe('a muster', () => {
  const muster = (client: PoolClient, assignment: string, id = crypto.randomUUID()) =>
    client.query(
      'select * from record_muster(p_id => $1, p_assignment_id => $2, p_device_at => now(), p_gps => $3)',
      [id, assignment, '6.3000,-10.8000'],
    );

  test('clocks in the guard who stands at post, in the supervisor’s name, once', async () => {
    await onShift(async (client, assignment) => {
      await become(client, supervisorHere);
      const id = crypto.randomUUID();
      expect((await client.query('select * from muster_list()')).rows).toEqual([
        expect.objectContaining({ assignment_id: assignment, attendance_state: 'none' }),
      ]);
      await muster(client, assignment, id);
      await muster(client, assignment, id);
      await muster(client, assignment);
      expect(await records(client)).toEqual([
        { clock_in_way: 'muster', clock_out_way: null, flags: [] },
      ]);
      expect(await read(client, 'select distinct user_id, made_by from clock_events')).toEqual([
        { user_id: guard.id, made_by: supervisorHere.id },
      ]);
    });
  });

  test.each([supervisorElsewhere, dispatcher, guard, guardElsewhere])(
    'is refused to $name',
    async (person) => {
      await onShift(async (client, assignment) => {
        await become(client, person);
        expect((await client.query('select * from muster_list()')).rows).toEqual([]);
        expect(await attempt(client, () => muster(client, assignment))).toBe(REFUSED);
        expect(await records(client)).toEqual([]);
      });
    },
  );

  test('leaves a guard who clocked in before as they were', async () => {
    await atTheGate(async (client, assignment) => {
      await clock(client, { assignment, at: -HOUR });
      await become(client, supervisorHere);
      await muster(client, assignment);
      expect(await records(client)).toEqual([
        { clock_in_way: 'device', clock_out_way: null, flags: ['sent_late'] },
      ]);
    });
  });
});
