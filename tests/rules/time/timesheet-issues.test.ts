// Issues in timesheets, each with the record that it is about.
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { guardHere, supervisorElsewhere, supervisorHere } from '#tests/support/people.ts';
import { LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become } from '#tests/support/session.ts';
import { dateOf, type Hours, type Timesheets, withHours } from '#tests/support/timesheets.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments where user_id = '${guardHere.id}'; delete from timesheets`);
});

type Row = {
  day: string;
  kind: string;
  has_record: boolean;
  has_assignment: boolean;
  note: string | null;
};

async function issuesOf({ client, person }: Timesheets): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `select i.day::text, i.kind, i.attendance_id is not null as has_record,
       i.assignment_id is not null as has_assignment, i.note
     from timesheets t cross join lateral timesheet_issues(array[t.id]) i where t.user_id = $1 order by 1, 2`,
    [person],
  );
  return rows;
}

const story = (hours: Hours, look: (sheets: Timesheets) => Promise<void>): Promise<void> =>
  withHours(database.owner, scene.sites.here, hours, look);

const record = { has_record: true, has_assignment: true, note: null };

test.each<[title: string, shift: string, kind: string, Omit<Row, 'day' | 'kind'>]>([
  ['nobody came', '3 06:00-18:00 | -', 'missing_clock_in', { ...record, has_record: false }],
  ['nobody clocked out', '3 06:00-18:00 | 06:00-', 'missing_clock_out', record],
  ['the guard stayed on', '3 06:00-14:00 | 06:00-16:00', 'stayed_on', record],
  ['the guard stayed on into overtime', '3 06:00-18:00 | 06:00-20:00', 'overtime', record],
])('%s: the record is named', (_title, shift, kind, named) =>
  story({ shifts: [shift] }, async (sheets) => {
    expect(await issuesOf(sheets)).toEqual([{ day: dateOf(3), kind, ...named }]);
  }),
);

test('staying on after a night is on the day of leaving, and names that night alone', () =>
  story(
    { shifts: ['3 18:00-02:00 | 18:00-04:00', '4 14:00-22:00 | 14:00-22:10'] },
    async (sheets) => {
      expect(await issuesOf(sheets)).toEqual([{ day: dateOf(4), kind: 'stayed_on', ...record }]);
    },
  ));

test('flags name the record that has them, and not others of the day', () =>
  story({ shifts: ['3 00:00-06:00', '3 12:00-18:00'] }, async (sheets) => {
    await sheets.client.query(
      `update attendance set flags = '{no_location}', needs_review = true where clock_in_at = '2025-03-03T12:00Z'`,
    );
    const { rows } = await sheets.client.query<{ kind: string; clock_in_at: Date }>(
      `select i.kind, i.clock_in_at from timesheets t
       cross join lateral timesheet_issues(array[t.id]) i where t.user_id = $1`,
      [sheets.person],
    );
    expect(rows).toEqual([{ kind: 'no_location', clock_in_at: new Date('2025-03-03T12:00:00Z') }]);
  }));

test('a dispute is named with its note, once it is answered no more', () =>
  story({ shifts: ['3 06:00-18:00'] }, async (sheets) => {
    const { client, person } = sheets;
    await client.query(
      `insert into timesheet_disputes (timesheet_id, user_id, day, note)
       select id, $1, $2, 'I worked until eight.' from timesheets where user_id = $1`,
      [person, dateOf(3)],
    );
    expect(await issuesOf(sheets)).toEqual([
      {
        day: dateOf(3),
        kind: 'dispute',
        has_record: false,
        has_assignment: false,
        note: 'I worked until eight.',
      },
    ]);
    await client.query(
      `select answer_dispute(id, 'Your relief came at six.') from timesheet_disputes`,
    );
    expect(await issuesOf(sheets)).toEqual([]);
  }));

test.each([
  ['the site', supervisorHere, 1],
  ['another site', supervisorElsewhere, 0],
])('a supervisor of %s reads their own sites only', (_site, person, count) =>
  story({ shifts: ['3 06:00-18:00 | 06:00-'] }, async ({ client }) => {
    const { rows } = await client.query<{ id: string }>('select id from timesheets');
    await become(client, person);
    const found = await client.query('select * from timesheet_issues($1)', [
      rows.map(({ id }) => id),
    ]);
    expect(found.rowCount).toBe(count);
  }),
);

test.each([['{}'], [null], ['{NULL}']])('%s is refused', async (ids) => {
  await expect(
    database.owner.query('select * from timesheet_issues($1::uuid[])', [ids]),
  ).rejects.toThrow('Choose between 1 and 2000 rows.');
});
