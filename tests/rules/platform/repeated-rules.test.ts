// Rules that the browser repeats, because a phone works offline or a board counts at each touch: both sides give the same
// on random input.
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rotated } from '#shared/demand/cycle.ts';
import { metresBetween } from '#shared/distance.ts';
import { formatMoney } from '#shared/money.ts';
import { calendarOf } from '#shared/roster/calendar.ts';
import { dutyProblems } from '#shared/roster/duty-rules.ts';
import { effectiveRoster, rosterIndex } from '#shared/roster/effective.ts';
import { eligibilityProblems } from '#shared/roster/eligibility.ts';
import { rosterInputSchema } from '#shared/roster/input.ts';
import { rankGuards } from '#shared/roster/rank.ts';
import { dispatcher, guardElsewhere, guardHere } from '#tests/support/people.ts';
import { DEFAULT_RULES } from '#tests/support/roster-company.ts';
import { rosterWriters } from '#tests/support/roster-writers.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';
import { hashEvent } from '#web/features/clocking/clock/clock-event.ts';
import { numberOfCode } from '#web/features/operations/patrols/guard/code.ts';
import { FREQUENCIES, findPeriod } from '#web/lib/format/pay-periods.ts';

let database: TestDatabase;
let scene: Scene;
let client: PoolClient;
const { addShift } = rosterWriters(() => scene);

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(
    'delete from attendance; delete from assignments; delete from shifts; delete from certifications',
  );
  client = await database.owner.connect();
});
afterAll(() => client.release());

/** The database's value of an expression. */
async function inDatabase(expression: string, values: readonly unknown[]): Promise<unknown> {
  const { rows } = await client.query<{ value: unknown }>(`select ${expression} as value`, [
    ...values,
  ]);
  return rows[0]?.value;
}

const holds = <Input>(
  input: fc.Arbitrary<Input>,
  check: (value: Input) => Promise<void>,
  numRuns = 100,
) => fc.assert(fc.asyncProperty(input, check), { numRuns });

const position = fc.record({
  latitude: fc.double({ min: 4, max: 9, noNaN: true }).map((value) => Number(value.toFixed(6))),
  longitude: fc.double({ min: -12, max: -7, noNaN: true }).map((value) => Number(value.toFixed(6))),
});
const day = fc
  .integer({ min: 0, max: 20_000 })
  .map((days) => new Date(Date.UTC(2005, 0, 1 + days)).toISOString().slice(0, 10));
const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) });

test('distance: private.distance_m', () =>
  holds(fc.tuple(position, position), async ([one, other]) => {
    const gps = `${one.latitude},${one.longitude}`;
    expect(
      await inDatabase('private.distance_m($1, $2, $3)', [gps, other.latitude, other.longitude]),
    ).toBe(metresBetween(one, other));
  }));

test('codes of checkpoints: private.check_character', () =>
  holds(fc.stringMatching(/^\d\d[0-9A-HJKMNP-RTV-Z]{5}$/), async (code) => {
    const check = await inDatabase('private.check_character($1)', [code]);
    expect(numberOfCode(`${code}${check}`)).toBe(Number(code.slice(0, 2)));
  }));

test('the chain of clock events: private.hash_of_event', () =>
  holds(
    fc.record({
      id: fc.uuid(),
      kind: fc.constantFrom('in' as const, 'out' as const, 'reopen' as const),
      assignmentId: fc.uuid(),
      deviceAt: instant,
      offsetMs: fc.option(fc.integer({ min: -86_400_000, max: 86_400_000 })),
      enteredAt: fc.option(instant),
      gps: fc.option(position.map(({ latitude, longitude }) => `${latitude},${longitude}`)),
      previousHash: fc.option(fc.stringMatching(/^[0-9a-f]{64}$/)),
    }),
    async (event) => {
      const unhashed = { attendanceId: '', accuracyM: null, fixAgeS: null, reason: null };
      const stored = await inDatabase(
        'private.hash_of_event($1, $2, $3, to_timestamp($4::numeric / 1000), $5, to_timestamp($6::numeric / 1000), $7, $8)',
        [
          event.id,
          event.kind,
          event.assignmentId,
          event.deviceAt,
          event.offsetMs,
          event.enteredAt,
          event.gps,
          event.previousHash,
        ],
      );
      expect(await hashEvent({ ...unhashed, ...event })).toBe(stored);
    },
  ));

test('periods of timesheets: private.pay_period', () =>
  holds(fc.tuple(fc.constantFrom(...FREQUENCIES), day), async ([frequency, on]) => {
    const { start, end } = findPeriod(frequency, on);
    expect(await inDatabase('private.pay_period($1, $2)::text', [frequency, on])).toBe(
      await inDatabase(`daterange($1, $2, '[]')::text`, [start, end]),
    );
  }));

test('cycles of demand: private.rotate_slots and private.are_slots', () =>
  holds(
    fc.integer({ min: 1, max: 56 }).chain((cycle_days) =>
      fc.record({
        cycle_days: fc.constant(cycle_days),
        days: fc.integer({ min: 0, max: 2000 }),
        slots: fc.uniqueArray(
          fc.record({
            slot: fc.integer({ min: 1, max: 300 }),
            day: fc.nat(cycle_days - 1),
            start: fc.constantFrom('00:00', '06:30', '23:59'),
            minutes: fc.integer({ min: 15, max: 1440 }),
            headcount: fc.integer({ min: 1, max: 100 }),
          }),
          { minLength: 1, maxLength: 8, selector: ({ slot }) => slot },
        ),
      }),
    ),
    async ({ cycle_days, slots, days }) => {
      const json = JSON.stringify(slots);
      expect(await inDatabase('private.are_slots($1, $2)', [json, cycle_days])).toBe(true);
      expect(
        await inDatabase('private.rotate_slots($1, $2, $3)', [json, cycle_days, days]),
      ).toEqual(rotated({ cycle_days, slots }, days));
    },
  ));

test('money as text: private.money_text, which writes US$ for $', () =>
  holds(
    fc.tuple(fc.integer({ min: 0, max: 999_999_999_999 }), fc.constantFrom('USD', 'LRD')),
    async ([cents, currency]) => {
      const amount = (cents / 100).toFixed(2);
      const text = await inDatabase('private.money_text($1, $2)', [amount, currency]);
      expect(text).toBe(formatMoney(amount, currency).replace(/^\$/, 'US$'));
    },
  ));

const MONDAY = Date.parse('2031-03-24T00:00Z') / 60_000;
const HALF_HOUR = 30;
const REACH = 8 * 1440;

/** Half hours; often just as long as a rule asks for. */
const pause = fc.oneof(fc.integer({ min: 0, max: 90 }), fc.constantFrom(16, 22, 24, 48, 72, 120));

/** Duties one after the other: pauses and lengths in half hours. */
const duties = fc
  .array(fc.tuple(pause, fc.integer({ min: 4, max: 28 })), {
    minLength: 1,
    maxLength: 14,
  })
  .map((spans) => {
    let free = MONDAY - 6 * 1440;
    return spans.map(([pause, length]) => {
      const start = free + pause * HALF_HOUR;
      free = start + length * HALF_HOUR;
      return { start, end: free };
    });
  });

test('rest, weeks, days and nights in a row: private.duty_problems', () =>
  rolledBack(database.owner, (owner) =>
    holds(
      fc.record({
        zone: fc.constantFrom('Africa/Monrovia', 'Europe/London', 'America/New_York'),
        worked: duties,
        after: fc.nat(),
        pause,
        length: fc.integer({ min: 2, max: 30 }),
        rules: fc.record({
          min_rest_hours: fc.constantFrom(8, 11, 12),
          week_hours: fc.constantFrom(20, 40, 48),
          week_overtime_hours: fc.constantFrom(0, 5),
          weekly_rest_hours: fc.constantFrom(24, 36, 60),
          consecutive_days: fc.constantFrom(2, 4, 6),
          consecutive_nights: fc.constantFrom(1, 3, 4),
        }),
      }),
      async ({ zone, worked, after, pause: before, length, rules }) => {
        const start = (worked[after % worked.length]?.end ?? MONDAY) + before * HALF_HOUR;
        const end = start + length * HALF_HOUR;
        // The database looks no further, so its message counts a longer run of days only up to there.
        const others = worked.filter(
          (duty) => duty.end > start - REACH && duty.start < end + REACH,
        );
        const columns = Object.keys(rules);
        await owner.query(
          `update rule_sets set ${columns.map((column, index) => `${column} = $${index + 1}`)}`,
          Object.values(rules),
        );
        const time = (minute: number) => new Date(minute * 60_000).toISOString();
        const { rows } = await owner.query(
          `select rule, message, can_override from private.duty_problems($1, $2, $3,
             array(select tstzrange((d ->> 0)::timestamptz, (d ->> 1)::timestamptz) from jsonb_array_elements($4) d),
             $5)`,
          [
            guardHere.id,
            time(start),
            time(end),
            JSON.stringify(others.map((duty) => [time(duty.start), time(duty.end)])),
            zone,
          ],
        );
        expect(rows).toEqual(
          dutyProblems(
            { ...DEFAULT_RULES, ...rules },
            calendarOf(zone),
            zone,
            { start, end },
            others,
          ),
        );
      },
      300,
    ),
  ));

/** What may stand between two guards and a shift at a post, and the days of January on which they work 8 hours from 06:00. */
const facts = fc.record({
  gender: fc.constantFrom('female', 'male', null),
  needs_induction: fc.boolean(),
  needs_course: fc.boolean(),
  start: fc.tuple(
    fc.integer({ min: 2, max: 6 }),
    fc.constantFrom('06:00', '14:00', '18:00', '22:00'),
  ),
  hours: fc.constantFrom(4, 8, 12, 13),
  site: fc.record({
    position: fc.option(position),
    county: fc.constantFrom('Montserrado', 'Maryland', null),
    timezone: fc.constantFrom('Africa/Monrovia', 'Africa/Lagos'),
    max_distance_km: fc.constantFrom(30, 200, null),
  }),
  guards: fc.tuple(
    ...[guardHere, guardElsewhere].map(({ id }) =>
      fc.record({
        id: fc.constant(id),
        gender: fc.constantFrom('female', 'male', null),
        home: fc.option(position),
        home_region: fc.constantFrom('Montserrado', 'Maryland', 'Nigeria', null),
        max_distance_km: fc.constantFrom(20, 90, 400, null),
        isBanned: fc.boolean(),
        isInducted: fc.boolean(),
        expires: fc.option(fc.integer({ min: 1, max: 9 })),
        leave: fc.option(fc.integer({ min: 1, max: 7 })),
        works: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 3 }),
      }),
    ),
  ),
});

type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

const january = (day: number) => `2035-01-0${day}`;

/** Writes the facts. @returns the shift in question */
async function arrange(owner: PoolClient, { guards, ...wanted }: Facts) {
  const { rows } = await owner.query<{ id: string }>(
    `insert into posts (site_id, name, gender, gender_reason, needs_induction)
     values ($1, 'Gate 2', $2, case when $2 <> '' then 'Searches' end, $3) returning id`,
    [scene.sites.here, wanted.gender, wanted.needs_induction],
  );
  const post = rows[0]?.id ?? '';
  if (wanted.needs_course)
    await owner.query('insert into post_courses (post_id, course_id) values ($1, $2)', [
      post,
      scene.courseId,
    ]);
  for (const guard of guards) {
    const gps = guard.home && `${guard.home.latitude},${guard.home.longitude}`;
    for (const day of guard.works) {
      const shift = await addShift(owner, [`0${day} 06:00`, 8]);
      await owner.query('insert into assignments (shift_id, user_id) values ($1, $2)', [
        shift,
        guard.id,
      ]);
    }
    // After the duties there, which may be too far.
    await owner.query(
      `update profiles set gender = $2, home_position = $3, home_region = $4, max_distance_km = $5 where id = $1`,
      [guard.id, guard.gender, gps, guard.home_region, guard.max_distance_km],
    );
    if (guard.isBanned)
      await owner.query(
        `insert into site_bans (site_id, user_id, reason) values ($1, $2, 'Asked')`,
        [scene.sites.here, guard.id],
      );
    if (guard.isInducted)
      await owner.query('insert into site_inductions (site_id, user_id) values ($1, $2)', [
        scene.sites.here,
        guard.id,
      ]);
    if (guard.expires !== null)
      await owner.query(
        'insert into certifications (user_id, course_id, issued_at, expires_at) values ($1, $2, $3, $4)',
        [guard.id, scene.courseId, '2034-01-01', january(guard.expires)],
      );
    if (guard.leave !== null)
      await owner.query(
        `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
         values ($1, 'annual', $2, $2, 'Rest', 'approved')`,
        [guard.id, january(guard.leave)],
      );
  }
  const { position: at, county, timezone, max_distance_km } = wanted.site;
  await owner.query(
    `update sites set latitude = $2, longitude = $3, county = $4, timezone = $5, max_distance_km = $6 where id = $1`,
    [scene.sites.here, at?.latitude, at?.longitude, county, timezone, max_distance_km],
  );
  const [day, time] = wanted.start;
  return addShift(owner, [`0${day} ${time}`, wanted.hours], { post });
}

test('eligibility and the order of replacements: private.eligibility_problems and rank_replacements', () =>
  holds(
    facts,
    (input) =>
      rolledBack(database.owner, async (owner) => {
        const shiftId = await arrange(owner, input);
        const stored = await owner.query<{ user_id: string; rule: string; message: string }>(
          `select g.user_id, p.rule, p.message, p.can_override
           from unnest($2::uuid[]) g (user_id), shifts s, private.eligibility_problems(g.user_id, s) p where s.id = $1`,
          [shiftId, input.guards.map(({ id }) => id)],
        );
        await become(owner, dispatcher);
        const { rows } = await owner.query(
          `select roster_input('2035-01-01', '2035-01-07') as input`,
        );
        const ranked = await owner.query<{ user_id: string; reasons: string[] }>(
          'select user_id, reasons from rank_replacements($1)',
          [shiftId],
        );
        const roster = rosterInputSchema.parse(rows[0]?.input);
        const index = rosterIndex(roster);
        const shift = index.shifts.get(shiftId);
        if (!shift) throw new Error('The board lacks the shift.');
        const found = input.guards.flatMap(({ id }) => {
          const person = index.people.get(id);
          return person
            ? eligibilityProblems(index, person, shift).map((problem) => ({
                user_id: id,
                ...problem,
              }))
            : [];
        });
        expect(found).toEqual(stored.rows);

        const ids = new Set(input.guards.map(({ id }) => id));
        const figures = (reasons: readonly string[]) =>
          reasons
            .filter((reason) => /away|left this week|overtime/.test(reason))
            .map((reason) => reason.replace('.0 ', ' '))
            .sort();
        const onBoard = rankGuards(roster, effectiveRoster(roster), shiftId)
          .filter(({ personId, problems }) => ids.has(personId) && problems.length === 0)
          .map(({ personId, reasons }) => [personId, figures(reasons)] as const);
        const offered = ranked.rows
          .filter(({ user_id }) => ids.has(user_id))
          .map(({ user_id, reasons }) => [user_id, figures(reasons)] as const);
        expect(new Map(onBoard)).toEqual(new Map(offered));
      }),
    40,
  ));
