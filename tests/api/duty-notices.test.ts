// What a guard says before a shift, over the API: sent by two phones at once, and taken back while a replacement is assigned.
import { expect, test } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const { owner } = server.database;

/** Two guards and a dispatcher; the first guard has a shift in three hours. */
async function watch() {
  const people = await Promise.all(
    (['guard', 'guard', 'dispatcher'] as const).map(async (role, place) => {
      const person = await server.signedUp(`${role} ${place}`);
      await owner.query('insert into user_roles (user_id, role) values ($1, $2)', [
        person.id,
        role,
      ]);
      return person;
    }),
  );
  const [late, other, dispatcher] = people;
  if (!late || !other || !dispatcher) throw new Error('Somebody is missing.');
  const { rows } = await owner.query<{ id: string; shift_id: string }>(
    `with site as (
       insert into sites (name, client_name, address) values ('Gate ' || gen_random_uuid(), 'Client', 'Monrovia') returning id
     ), shift as (
       insert into shifts (site_id, start_time, end_time)
       select id, now() + interval '3 hours', now() + interval '11 hours' from site returning id
     )
     insert into assignments (shift_id, user_id) select id, $1 from shift returning id, shift_id`,
    [late.id],
  );
  const [seat] = rows;
  if (!seat) throw new Error('No seat.');
  const report = (id: string) =>
    late.client.rpc('report_duty_notice', {
      ...{ p_id: id, p_assignment_id: seat.id, p_kind: 'cant_come', p_reason: 'Ill' },
      p_device_at: new Date().toISOString(),
    });
  const staffed = async () => {
    const found = await owner.query<{ user_id: string }>(
      'select user_id from assignments where shift_id = $1 and counts_as_staffed',
      [seat.shift_id],
    );
    return found.rows.map(({ user_id }) => user_id);
  };
  return { late, other, dispatcher, seat, report, staffed };
}

test('a notice that is sent ten times at once is stored once', async () => {
  const { report, seat, staffed, late } = await watch();
  const id = crypto.randomUUID();
  const answers = await Promise.all(Array.from({ length: 10 }, () => report(id)));
  expect(answers.map(({ data, error }) => [data, error])).toEqual(
    Array.from({ length: 10 }, () => [true, null]),
  );
  const { rows } = await owner.query('select id from duty_notices where assignment_id = $1', [
    seat.id,
  ]);
  expect(rows).toEqual([{ id }]);
  expect(await staffed()).toEqual([late.id]);
});

test('taken back while a replacement is assigned: one of the two, and never two guards in one seat', async () => {
  const { report, late, other, dispatcher, seat, staffed } = await watch();
  const id = crypto.randomUUID();
  await report(id).throwOnError();
  const [back, given] = await Promise.all([
    late.client.rpc('withdraw_duty_notice', { p_id: id }),
    dispatcher.client.rpc('assign_replacement', {
      p_shift_id: seat.shift_id,
      p_user_id: other.id,
    }),
  ]);
  expect([back.error?.code, given.error?.code].filter(Boolean)).toEqual(['PT409']);
  expect(await staffed()).toEqual([back.error === null ? late.id : other.id]);
});
