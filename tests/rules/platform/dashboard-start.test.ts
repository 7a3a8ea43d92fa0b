// The top of the dashboard: posts now and next, and what waits for a decision. staffing.test.ts compares its counts with
// the tables of a random roster.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { CLOCK_OUT_GRACE_MINUTES } from '#shared/database.limits.ts';
import {
  bystander,
  dispatcher,
  guardElsewhere,
  guardHere,
  hr,
  newcomer,
  opsManager,
  supervisorElsewhere,
} from '#tests/support/people.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { asPerson, become, REFUSED, rolledBack } from '#tests/support/session.ts';
import { countRows, toBoard, toBoardRows } from '#web/features/operations/board/board-rows.ts';
import { boardSchema } from '#web/features/operations/board/operations-schema.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
});

test('lists the uncovered posts first, then the late guards by name, then what starts soon', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      'delete from attendance; delete from assignments; delete from shifts; delete from leave_requests',
    );
    const shift = async (site: string, from: string, to: string, headcount: number) =>
      (
        await client.query<{ id: string }>(
          `insert into shifts (site_id, start_time, end_time, required_headcount)
           values ($1, now() + $2::interval, now() + $3::interval, $4) returning id`,
          [site, from, to, headcount],
        )
      ).rows[0]?.id;
    const assign = async (shiftId: string | undefined, person: { id: string }) =>
      (
        await client.query<{ id: string }>(
          'insert into assignments (shift_id, user_id) values ($1, $2) returning id',
          [shiftId, person.id],
        )
      ).rows[0]?.id;

    // Two of three posts: one guard came, one is late, one post has nobody.
    const short = await shift(scene.sites.here, '-1 hour', '7 hours', 3);
    const came = await assign(short, guardHere);
    await client.query('insert into attendance (assignment_id) values ($1)', [came]);
    await assign(short, bystander);
    const late = await shift(scene.sites.elsewhere, '-2 hours', '6 hours', 1);
    await assign(late, guardElsewhere);
    // On approved leave, so the post is uncovered and not late.
    const soon = await shift(scene.sites.elsewhere, '3 hours', '9 hours', 1);
    await assign(soon, newcomer);
    await client.query(
      `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
       values ($1, 'annual', current_date - 1, current_date + 2, 'Family', 'approved'),
         ($1, 'annual', current_date + 3, current_date + 4, 'Family', 'pending')`,
      [newcomer.id],
    );
    await shift(scene.sites.here, '13 hours', '20 hours', 5);
    // A replacement on the way is neither late nor a gap, and who is planned for later is not late.
    const joined = await shift(scene.sites.here, '-1 hour', '7 hours', 1);
    await client.query(
      `insert into assignments (shift_id, user_id, joins_at) values ($1, $2, now() + interval '20 minutes')`,
      [joined, dispatcher.id],
    );
    const half = await shift(scene.sites.here, '8 hours', '15 hours', 2);
    await assign(half, opsManager);

    const start = async () => (await client.query('select * from dashboard_start()')).rows[0];
    await become(client, opsManager);
    const everywhere = await start();
    expect(everywhere).toMatchObject({
      required: 5,
      on_post: 1,
      late: 2,
      uncovered: 1,
      next_required: 3,
      next_missing: 2,
      gaps_now: 2,
      gaps_next: 2,
      leave_pending: 1,
      leave_soon: 1,
    });
    const { rows } = await client.query<{ full_name: string }>(
      'select full_name from profiles where id = $1',
      [bystander.id],
    );
    expect(everywhere.gaps).toMatchObject([
      { id: short, missing: 1, late: 1, late_guards: [rows[0]?.full_name], is_running: true },
      { id: late, missing: 0, late: 1, is_running: true },
      { id: soon, missing: 1, late: 0, is_running: false },
      { id: half, missing: 1, late: 0, late_guards: [], is_running: false },
    ]);

    // Dispatchers have no dashboard, and the same coverage on their own screen.
    await become(client, dispatcher);
    expect(await start()).toMatchObject({ required: 5, on_post: 1, late: 2, gaps_now: 2 });

    await become(client, supervisorElsewhere);
    expect(await start()).toMatchObject({
      required: 1,
      late: 1,
      uncovered: 0,
      next_missing: 1,
      // A supervisor decides none of these.
      leave_pending: null,
      new_enquiries: null,
      expired_certificates: null,
    });
  });
});

test.each([[guardHere], [hr], [newcomer]])('is refused to $name', async (person) => {
  await expect(
    asPerson(database.owner, person, 'select * from dashboard_start()'),
  ).rejects.toMatchObject({ code: REFUSED });
});

test('a shift is found by the name of a guard, in the list and in its totals', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from attendance; delete from assignments; delete from shifts');
    await client.query(`update profiles set full_name = 'Zebedee Wleh' where id = $1`, [
      guardHere.id,
    ]);
    const { rows } = await client.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time)
       select id, now() + interval '1 hour', now() + interval '2 hours' from sites returning id`,
    );
    await client.query('insert into assignments (shift_id, user_id) values ($1, $2)', [
      rows[0]?.id,
      guardHere.id,
    ]);
    await become(client, dispatcher);
    const found = await client.query(`select id from search_shifts('wleh zeb')`);
    expect(found.rows).toEqual([{ id: rows[0]?.id }]);
    for (const argument of [`p_search => 'wleh zeb'`, `p_guard_id => '${guardHere.id}'`]) {
      const totals = await client.query(`select shifts from shift_totals(${argument})`);
      expect(totals.rows).toEqual([{ shifts: 1 }]);
    }
    const week = await client.query(
      `select name, hours::float, shifts from week_guards(private.company_date() - 3, null, 'zebedee')`,
    );
    expect(week.rows).toEqual([{ name: 'Zebedee Wleh', hours: 1, shifts: 1 }]);
    // A guard finds nothing through the names of others.
    await become(client, bystander);
    expect((await client.query(`select id from search_shifts('wleh')`)).rows).toEqual([]);
    const names = `select name from week_guards(private.company_date() - 3, null, 'wleh')`;
    expect((await client.query(names)).rows).toEqual([]);
  });
});

test('on post, late, missing and uncovered are those of the operations board', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query(
      'delete from attendance; delete from assignments; delete from shifts; delete from leave_requests',
    );
    const { rows } = await client.query<{ id: string }>(
      `insert into shifts (site_id, start_time, end_time, required_headcount)
       values ($1, now() - interval '1 hour', now() + interval '7 hours', 6) returning id`,
      [scene.sites.here],
    );
    const assign = async (person: { id: string }, ago: string, status = 'assigned') => {
      const made = await client.query<{ id: string }>(
        `insert into assignments (shift_id, user_id, status, created_at)
         values ($1, $2, $3, now() - $4::interval) returning id`,
        [rows[0]?.id, person.id, status, ago],
      );
      return made.rows[0]?.id;
    };
    for (const guard of [guardHere, newcomer]) {
      await client.query('insert into attendance (assignment_id) values ($1)', [
        await assign(guard, '1 day'),
      ]);
    }
    // Silent, and on post all the same.
    await client.query(`insert into alerts (cause, kind, shift_id, assignment_id, user_id, site_id)
      select 'welfare', 'welfare', shift_id, id, user_id, site_id from assignments limit 1`);
    await assign(bystander, '1 day');
    await assign(guardElsewhere, '2 minutes');
    await assign(opsManager, '1 day', 'no_show');
    await become(client, opsManager);
    const { rows: starts } = await client.query('select * from dashboard_start()');
    const { rows: boards } = await client.query('select operations_board() as board');
    const board = boardSchema.parse(boards[0].board);
    const now = Date.parse(board.at);
    const counts = countRows(toBoardRows(toBoard(board, now), now));
    expect(counts).toMatchObject({ on_post: 2, missing: 1, late: 1, empty: 2, no_signal: 1 });
    const { on_post, late, missing, uncovered } = starts[0];
    expect({ on_post, late, missing, empty: uncovered }).toEqual({
      ...{ on_post: counts.on_post, late: counts.late },
      ...{ missing: counts.missing, empty: counts.empty },
    });
  });
});

test('a clock-out is forgotten when the grace after the shift is over, not at its end', async () => {
  await rolledBack(database.owner, async (client) => {
    await client.query('delete from attendance; delete from assignments; delete from shifts');
    for (const [person, minutes] of [
      [guardHere, CLOCK_OUT_GRACE_MINUTES - 1],
      [bystander, CLOCK_OUT_GRACE_MINUTES + 1],
    ] as const) {
      const times = `now() - interval '9 hours', now() - make_interval(mins => $2)`;
      await client.query(
        `with shift as (
           insert into shifts (site_id, start_time, end_time) values ($1, ${times}) returning id
         ), seat as (
           insert into assignments (shift_id, user_id) select id, $3 from shift returning id
         )
         insert into attendance (assignment_id, clock_in_at) select id, now() - interval '9 hours' from seat`,
        [scene.sites.here, minutes, person.id],
      );
    }
    await become(client, opsManager);
    const { rows } = await client.query('select forgotten_clock_outs from dashboard_start()');
    expect(rows).toEqual([{ forgotten_clock_outs: 1 }]);
    const { rows: listed } = await client.query(
      `select count(*) filter (where 'forgotten' = any (states))::integer as forgotten,
         count(*) filter (where 'in' = any (states))::integer as still_in,
         count(*) filter (where 'issues' = any (states))::integer as issues
       from attendance_of(null)`,
    );
    // The issues of the specification have no grace.
    expect(listed).toEqual([{ forgotten: 1, still_in: 1, issues: 2 }]);
    const { rows: figures } = await client.query(
      'select attendance_issues from dashboard_figures()',
    );
    expect(figures).toEqual([{ attendance_issues: 2 }]);
  });
});
