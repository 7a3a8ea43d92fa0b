// What a location says of where a guard is: its accuracy and its age are judged with it.
import { expect, test } from 'vitest';
import {
  A_KILOMETRE_AWAY,
  attendanceOf,
  record,
  type Sent,
  setUpClockEvents,
} from '#tests/support/clock-events.ts';
import { supervisorHere } from '#tests/support/people.ts';
import { become } from '#tests/support/session.ts';

const { onShift } = setUpClockEvents();

// The geofence has 200 m, and A_KILOMETRE_AWAY is 1,112 m from the site.
test.each<[string, Partial<Sent>, string[], number | null]>([
  ['that is exact', {}, [], null],
  ['of 250 m', { accuracy: 250 }, [], null],
  ['of 2.5 km', { accuracy: 2500 }, ['location_imprecise'], null],
  [
    'of 3 km, a kilometre away',
    { accuracy: 3000, gps: A_KILOMETRE_AWAY },
    ['location_imprecise'],
    null,
  ],
  ['of 911 m, a kilometre away', { accuracy: 911, gps: A_KILOMETRE_AWAY }, ['outside_fence'], 1112],
  [
    'of 912 m, a kilometre away',
    { accuracy: 912, gps: A_KILOMETRE_AWAY },
    ['location_imprecise'],
    null,
  ],
  ['of five minutes ago', { fixAge: 300 }, [], null],
  ['of two hours ago', { fixAge: 7200 }, ['location_old'], null],
  [
    'of two hours ago, a kilometre away',
    { fixAge: 7200, gps: A_KILOMETRE_AWAY },
    ['location_old', 'outside_fence'],
    1112,
  ],
])('a location %s, at clock-in and clock-out', async (_which, place, flags, outside) => {
  await onShift(async (client, assignment) => {
    const first = await record(client, { kind: 'in', assignment, ...place });
    expect(await attendanceOf(client, assignment)).toMatchObject([
      { flags, needs_review: flags.length > 0 },
    ]);
    await record(client, { kind: 'out', assignment, ...place, attendance: first.attendance_id });
    expect((await attendanceOf(client, assignment))[0]?.flags).toEqual(
      [...flags, 'left_early'].sort(),
    );
    await become(client, supervisorHere);
    const { rows } = await client.query(
      `select o.outside_m, 'outside' = any (o.states) as is_outside, r.clock_in_accuracy_m, r.clock_out_accuracy_m
       from attendance_overview o join attendance r on r.id = o.attendance_id where o.assignment_id = $1`,
      [assignment],
    );
    const accuracy = place.accuracy ?? 12.5;
    expect(rows).toEqual([
      {
        outside_m: outside,
        is_outside: flags.includes('outside_fence'),
        clock_in_accuracy_m: accuracy,
        clock_out_accuracy_m: accuracy,
      },
    ]);
  });
});

test('nobody chooses the accuracy of a record', async () => {
  await onShift(async (client, assignment) => {
    await client.query(
      `insert into attendance (assignment_id, clock_in_gps, clock_in_accuracy_m, clock_out_accuracy_m)
       values ($1, $2, 9000, 9000)`,
      [assignment, A_KILOMETRE_AWAY],
    );
    const { rows } = await client.query(
      'select clock_in_accuracy_m, clock_out_accuracy_m, flags from attendance where assignment_id = $1',
      [assignment],
    );
    expect(rows).toEqual([
      { clock_in_accuracy_m: null, clock_out_accuracy_m: null, flags: ['outside_fence'] },
    ]);
  });
});
