// Equal cases that wait in timesheets are decided at once.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { admin, guardHere } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { as, type Timesheets, withHours } from '#tests/support/timesheets.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments where user_id = '${guardHere.id}'; delete from timesheets`);
});

/** Two guards who stayed 40 minutes, one who stayed two hours, and one who clocked as planned. */
const story = (look: (sheets: Timesheets) => Promise<void>): Promise<void> =>
  withHours(
    database.owner,
    scene.sites.here,
    {
      shifts: [
        '3 06:00-14:00 | 06:00-14:40',
        '4 06:00-14:00 | 06:00-14:39',
        '5 06:00-14:00 | 06:00-16:00',
        '6 06:00-14:00',
      ],
    },
    look,
  );

const groups = (sheets: Timesheets, person = admin) =>
  as(
    sheets,
    person,
    `select kind, above, up_to, amount, attendance_ids from equal_issues('2025-03-01', '2025-03-31')
     where kind = 'stayed_on'`,
  );

const decideAll = (sheets: Timesheets, ids: unknown, approved: boolean | null) =>
  as(sheets, admin, `select decide_times($1, 'stayed_on', $2)`, [ids, approved]);

const decided = async ({ client }: Timesheets) =>
  (await client.query('select approved from time_decisions order by approved')).rows.map(
    ({ approved }) => approved,
  );

test('cases of one size are one group, and a single case is none', () =>
  story(async (sheets) => {
    expect(await groups(sheets)).toMatchObject([{ above: 30, up_to: 60, amount: 2 }]);
  }));

test('nobody is offered their own cases', () =>
  story(async (sheets) => {
    await sheets.client.query(`insert into user_roles (user_id, role) values ($1, 'ops_manager')`, [
      guardHere.id,
    ]);
    expect(await groups(sheets, guardHere)).toEqual([]);
  }));

test('all are decided, taken back together, and what somebody decided in between stays', () =>
  story(async (sheets) => {
    const [group] = await groups(sheets);
    const ids = group?.attendance_ids;
    await as(sheets, admin, `select decide_time(($1::uuid[])[1], 'stayed_on', false)`, [ids]);
    expect(await groups(sheets)).toEqual([]);
    await decideAll(sheets, ids, true);
    expect(await decided(sheets)).toEqual([false, true]);
    await decideAll(sheets, ids, null);
    expect(await decided(sheets)).toEqual([]);
    await decideAll(sheets, ids, false);
    expect(await decided(sheets)).toEqual([false, false]);
  }));
