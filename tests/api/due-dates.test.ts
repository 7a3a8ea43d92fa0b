// What falls due by the calendar: the running server sends one notice to the people whose work it is.
import { beforeAll, describe, expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const server = await testServer();
const { owner } = server.database;

const one = async (sql: string, values: unknown[] = []): Promise<string> => {
  const { rows } = await owner.query<{ id: string }>(sql, values);
  return rows[0]?.id ?? '';
};

async function person(name: string, role: string): Promise<string> {
  const { id } = await server.signedUp(name);
  await owner.query('delete from user_roles where user_id = $1', [id]);
  await owner.query('insert into user_roles (user_id, role) values ($1, $2)', [id, role]);
  return id;
}

/** The time of the next run has come; returns once it has ended. */
async function nextRun(): Promise<void> {
  const runs = async () => {
    const { rows } = await owner.query<{ runs: number }>(
      `select runs::int from private.jobs where name = 'private.tell_of_due_dates'`,
    );
    return rows[0]?.runs ?? 0;
  };
  await expect.poll(runs).toBeGreaterThan(0);
  const before = await runs();
  await owner.query(
    `update private.jobs set next_at = now() where name = 'private.tell_of_due_dates'`,
  );
  await expect.poll(runs).toBeGreaterThan(before);
}

async function toldTo(user: string) {
  const { rows } = await owner.query<{ title: string; body: string; link: string }>(
    'select title, body, link from notices where user_id = $1 order by created_at, title',
    [user],
  );
  return rows;
}

let hr: string;
let finance: string;
let opsManager: string;
let dispatcher: string;
let guard: string;
let course: string;
let site: string;

beforeAll(async () => {
  hr = await person('Hannah Roberts', 'hr');
  finance = await person('Fatu Sirleaf', 'finance');
  opsManager = await person('Olivia Massaquoi', 'ops_manager');
  dispatcher = await person('David Kollie', 'dispatcher');
  guard = await person('Moses Kollie', 'guard');
  course = await one(`insert into training_courses (title) values ('First Aid') returning id`);
  site = await one(
    `with client as (
       insert into clients (name, number_of_guards, monthly_rate, location) values ('Hotel Ducor', 2, 0, 'Monrovia')
       returning id, name
     )
     insert into sites (name, client_id, client_name, address) select 'Gate', id, name, 'Monrovia' from client
     returning id`,
  );
});

/** @param left from the reminder's day, at noon */
const certify = (user: string, left: number) =>
  one(
    `insert into certifications (user_id, course_id, expires_at)
     values ($1, $2, ((private.reminder_date() + $3::int)::timestamp + time '12:00') at time zone 'UTC')
     returning id`,
    [user, course, left],
  );

const dayIn = async (days: number) =>
  one('select private.day_text(private.reminder_date() + $1::int) as id', [days]);

describe('a certificate', () => {
  it('is told of 30 days before it ends, and again once a new date is near; not while it is renewed', async () => {
    const id = await certify(guard, 20);
    await nextRun();
    await nextRun();
    const first = {
      title: 'A certificate ends within 30 days',
      body: `Moses Kollie: First Aid, ${await dayIn(20)}`,
      link: '/admin/certifications?state=expiring',
    };
    expect(await toldTo(hr)).toEqual([first]);
    expect(await toldTo(guard)).toEqual([
      {
        title: 'A certificate of yours ends soon',
        body: `First Aid, ${await dayIn(20)}\nAsk the office to renew it.`,
        link: '/staff/me',
      },
    ]);
    await owner.query(
      `update certifications set expires_at = expires_at + interval '5 days' where id = $1`,
      [id],
    );
    await nextRun();
    expect((await toldTo(hr)).map(({ body }) => body)).toEqual([
      first.body,
      `Moses Kollie: First Aid, ${await dayIn(25)}`,
    ]);
    const renewed = await person('Paul Renewed', 'guard');
    await certify(renewed, 3);
    await certify(renewed, 400);
    await nextRun();
    expect(await toldTo(renewed)).toEqual([]);
  });

  it('is told of once more when it has ended, also to operations managers; not of somebody who left', async () => {
    const two = [await person('Ada Ended', 'guard'), await person('Ben Ended', 'guard')];
    for (const user of two) await certify(user, -1);
    const gone = await person('Carl Gone', 'guard');
    await certify(gone, -1);
    await owner.query('update profiles set left_on = private.company_date() - 10 where id = $1', [
      gone,
    ]);
    await nextRun();
    expect(await toldTo(opsManager)).toEqual([
      {
        title: '2 certificates have ended',
        body: `Ada Ended: First Aid, ${await dayIn(-1)}\nBen Ended: First Aid, ${await dayIn(-1)}`,
        link: '/admin/certifications?state=expired',
      },
    ]);
    expect(await toldTo(gone)).toEqual([]);
  });
});

describe('finance', () => {
  it('is told of contracts that end and of invoices that are due', async () => {
    const client = await one('select client_id as id from sites where id = $1', [site]);
    await owner.query(
      `insert into contracts (client_id, title, starts_on, ends_on, billing_cycle)
       values ($1, 'Gate', '2020-01-01', private.reminder_date() + 60, 'on-demand'),
         ($1, 'Pool', '2020-01-01', private.reminder_date() + 61, 'on-demand')`,
      [client],
    );
    await nextRun();
    const ending = {
      title: 'A contract ends soon',
      body: `Hotel Ducor: Gate, last day ${await dayIn(60)}`,
      link: '/admin/contracts',
    };
    expect(await toldTo(finance)).toEqual([ending]);
    const lastMonth = await one(
      `select (date_trunc('month', private.reminder_date()) - interval '1 month')::date::text as id`,
    );
    await owner.query(
      `with contract as (
         insert into contracts (client_id, title, starts_on, billing_cycle, billing_day)
         values ($1, 'Night patrol', $2, 'monthly', 1) returning id
       )
       insert into contract_posts (contract_id, site_id, basis, monthly_amount, starts_on)
       select id, $3, 'fixed', 900, $2 from contract`,
      [client, lastMonth, site],
    );
    await nextRun();
    await nextRun();
    expect(await toldTo(finance)).toEqual([
      ending,
      {
        title: 'An invoice is due',
        body: `Hotel Ducor: Night patrol, ${await one(
          `select to_char($1::date, 'FMMonth YYYY') as id`,
          [lastMonth],
        )}`,
        link: '/admin/invoices',
      },
    ]);
  });

  it('is told of a pay period that is over', async () => {
    await owner.query(
      `insert into staff (user_id, full_name, payment_frequency, salary_amount, hire_date, created_at)
       values ($1, 'Moses Kollie', 'weekly', 50, private.reminder_date() - 13, now() - interval '13 days')`,
      [guard],
    );
    const lastPeriod = () =>
      one(
        `select private.period_text(t.period_start, t.period_end) as id from timesheets t
         where t.user_id = $1 and t.period_end < private.reminder_date() order by t.period_end desc limit 1`,
        [guard],
      );
    await expect.poll(lastPeriod).not.toBe('');
    const period = await lastPeriod();
    await nextRun();
    const told = (await toldTo(finance)).filter(({ link }) => link === '/admin/payruns');
    expect(told.map(({ body }) => body).join('\n')).toContain(`Weekly, USD: ${period}`);
  });
});

describe('the roster', () => {
  it('is told of a week ahead while seats are open and it is not published', async () => {
    const week = await one(
      `select (date_trunc('week', private.reminder_date())::date + 7)::text as id`,
    );
    await owner.query(
      `insert into shifts (site_id, start_time, end_time, required_headcount)
       values ($1, $2::date + time '08:00', $2::date + time '20:00', 2)`,
      [site, week],
    );
    await nextRun();
    expect((await toldTo(dispatcher)).filter(({ link }) => link.includes('roster'))).toEqual([
      {
        title: 'The roster of next week is not published',
        body: `2 of 2 seats of the week from ${await one('select private.day_text($1) as id', [week])} are open.`,
        link: `/admin/roster?gaps=open&week=${week}`,
      },
    ]);
  });
});
