// Running servers make the timesheets of a company that never had demo data. The tests set facts and wait.
import { expect, test } from 'vitest';
import { secondServer, testServer } from '#tests/support/server.ts';

const server = await testServer();
const { owner } = server.database;

const FIRST_SHIFT = `with site as (
    insert into public.sites (name, client_name, address) values ('Gate', 'Port', 'Monrovia') returning id
  ), shift as (
    insert into public.shifts (site_id, start_time, end_time)
    select id, now() - interval '20 hours', now() - interval '8 hours' from site returning id, start_time, end_time
  ), assignment as (
    insert into public.assignments (shift_id, user_id) select id, $1 from shift returning id
  )
  insert into public.attendance (assignment_id, clock_in_at, clock_out_at)
  select a.id, s.start_time, s.end_time from assignment a, shift s`;

test('a person who is hired and works has the hours on the own timesheet', async () => {
  const { client, id } = await server.signedUp();
  await owner.query(
    `insert into public.staff (full_name, user_id, salary_amount) values ('Saah Cole', $1, 143)`,
    [id],
  );
  const own = async () => {
    const { data } = await client
      .from('timesheets')
      .select('planned_minutes, regular_minutes, night_minutes, holiday_minutes')
      .throwOnError();
    return data.reduce(
      (sum, sheet) => ({
        sheets: sum.sheets + 1,
        planned: sum.planned + sheet.planned_minutes,
        worked: sum.worked + sheet.regular_minutes + sheet.night_minutes + sheet.holiday_minutes,
      }),
      { sheets: 0, planned: 0, worked: 0 },
    );
  };
  // A month that begins while the test runs has a sheet, too.
  await expect.poll(own).toMatchObject({ sheets: expect.toSatisfy((count: number) => count > 0) });
  await owner.query(FIRST_SHIFT, [id]);
  await expect.poll(own).toMatchObject({ planned: 720, worked: 720 });
});

test('servers that were off for a year catch up once, whichever is first', async () => {
  const hired: [id: string, frequency: string][] = [];
  for (const frequency of ['monthly', 'weekly', 'bi-weekly']) {
    const { id } = await server.signedUp();
    hired.push([id, frequency]);
  }
  await server.stop();
  const offline = await server.database.owner.connect();
  for (const [id, frequency] of hired) {
    // Known since long ago, without a timesheet: what a stopped server leaves behind.
    await offline.query(
      `set session_replication_role = replica;
       update public.profiles set created_at = '2024-01-01' where id = '${id}';
       with hired as (
         insert into public.staff (full_name, user_id, salary_amount, hire_date, created_at)
         values ('Saah Cole', '${id}', 143, '2024-01-01', '2024-01-01') returning id
       )
       insert into public.pay_bases (staff_id, effective_from, payment_frequency, amount)
       select id, '2024-01-01', '${frequency}', 143 from hired;
       set session_replication_role = origin`,
    );
  }
  const sheets = async () => {
    const { rows } = await server.database.owner.query(
      `select s.payment_frequency as frequency,
         min(t.period_start) <= private.company_date() - 399 as since_then,
         max(t.period_end) >= private.company_date() as until_now,
         sum(t.period_end - t.period_start + 1) = max(t.period_end) - min(t.period_start) + 1 as without_gaps
       from (select distinct on (staff_id) staff_id, payment_frequency from public.pay_bases order by staff_id) s
       join public.staff p on p.id = s.staff_id
       join public.timesheets t on t.user_id = p.user_id
       where p.user_id = any ($1::uuid[]) group by 1 order by 1`,
      [hired.map(([id]) => id)],
    );
    return rows;
  };
  expect(await sheets()).toEqual([]);
  await offline.query(`update private.time_swept set made_until = private.company_date() - 400`);
  offline.release();
  const servers = await Promise.all([secondServer(server), secondServer(server)]);
  const all = { since_then: true, until_now: true, without_gaps: true };
  await expect.poll(sheets, { timeout: 60_000 }).toEqual([
    { frequency: 'bi-weekly', ...all },
    { frequency: 'monthly', ...all },
    { frequency: 'weekly', ...all },
  ]);
  await Promise.all(servers.map((each) => each.stop()));
});
