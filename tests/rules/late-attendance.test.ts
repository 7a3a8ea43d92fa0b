// Clock events that arrive after their period was locked, once approved, are attendance: for coverage, unbilled hours,
// invoices, the margin and the guard. Their pay is an adjustment, once. March 2025, on US$1.00 an hour, billed at US$2.00.
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { admin, finance, guardHere, opsManager } from '#tests/support/people.ts';
import { buildScene, LENIENT_RULES, type Scene } from '#tests/support/scene.ts';
import { as, refused, type Timesheets, withHours } from '#tests/support/timesheets.ts';

let database: TestDatabase;
let scene: Scene;

beforeAll(async () => {
  database = await freshDatabase();
  scene = await buildScene(database.owner);
  await database.owner.query(`${LENIENT_RULES}; delete from clock_events; delete from attendance;
    delete from assignments where user_id = '${guardHere.id}'; delete from shifts; delete from contract_posts;
    truncate staff, pay_runs, timesheets cascade`);
});

const LATE = `select private.record_event_for($1, 'phone', null, null, $2, $3, $4, $5, null, now())`;
const MONTH = `'2025-03-01', '2025-03-31'`;

/** Locks a month as it is, with approved timesheets. */
async function lockRun(sheets: Timesheets, day = '2025-03-01'): Promise<string> {
  await sheets.client.query(
    `update timesheets set status = 'approved' where status = 'open' and period_start = date_trunc('month', $1::date)`,
    [day],
  );
  const [{ id } = {}] = await as(
    sheets,
    finance,
    `select create_pay_run('monthly', 'USD', $1) as id`,
    [day],
  );
  await as(sheets, finance, 'select calculate_pay_run($1)', [id]);
  await as(sheets, admin, 'select approve_pay_run($1)', [id]);
  await as(sheets, finance, 'select lock_pay_run($1)', [id]);
  return String(id);
}

interface Late {
  sheets: Timesheets;
  contract: string;
  run: string;
  one: (sql: string, values?: unknown[]) => Promise<unknown>;
  /** The phone sends the shift of a day of March, or of 32 for the first of April. */
  send: (day: number, from: string, to: string) => Promise<void>;
  approve: () => Promise<Record<string, unknown> | undefined>;
  reject: () => Promise<unknown>;
  /** `required worked uncovered` of the month. */
  coverage: () => Promise<unknown>;
  unbilled: () => Promise<unknown>;
  /** Drafts the month and issues what it drew. @returns `kind quantity amount` of the lines */
  bill: (from?: string, to?: string) => Promise<string[]>;
  /** What locked runs paid by hours and adjustments. */
  paid: () => Promise<unknown>;
}

const at = (day: number, time: string): string =>
  `${new Date(Date.UTC(2025, 2, day)).toISOString().slice(0, 10)}T${time}Z`;

function late(
  {
    shifts,
    until,
    terms = {},
  }: { shifts: string[]; until?: number; terms?: Record<string, unknown> },
  work: (told: Late) => Promise<void>,
): Promise<void> {
  return withHours(
    database.owner,
    scene.sites.here,
    { shifts, ...(until && { until }) },
    async (sheets) => {
      const { client, person } = sheets;
      const one: Late['one'] = async (sql, values = []) =>
        Object.values((await client.query(sql, values)).rows[0] ?? {})[0];
      await client.query(
        `insert into staff (full_name, user_id, hire_date, pay_basis, salary_amount) values ('Guard', $1, '2024-01-01', 'hourly', 1)`,
        [person],
      );
      const customer = await one(
        `insert into clients (name, number_of_guards, monthly_rate, location) values ('Embassy', 1, 100, 'Here') returning id`,
      );
      await client.query('update sites set client_id = $1 where id = $2', [customer, sheets.site]);
      const contract = String(
        await one(
          `insert into contracts (client_id, title, starts_on, gap_credit) values ($1, 'Guards', '2025-01-01', $2) returning id`,
          [customer, terms.gap_credit ?? 'hours'],
        ),
      );
      const { basis = 'worked', ...columns } = terms;
      await client.query(
        `insert into contract_posts (contract_id, site_id, basis, monthly_amount, minimum_hours) values ($1, $2, $3, $4, $5)`,
        [contract, sheets.site, basis, columns.monthly_amount, columns.minimum_hours],
      );
      await client.query(
        `insert into rates (contract_id, amount, effective_from) values ($1, 2, '2025-01-01')`,
        [contract],
      );
      const decide = (isApproved: boolean) =>
        as(
          sheets,
          admin,
          `select d.* from (
           select id from pay_adjustments where user_id = $1 and kind = 'late_event' order by status = 'to_decide' desc limit 1
         ) a, decide_adjustment(a.id, $2) d`,
          [person, isApproved],
        );
      await work({
        sheets,
        contract,
        one,
        run: await lockRun(sheets),
        send: async (day, from, to) => {
          const assignment = await one(
            `select id from assignments where user_id = $1 and starts_at::date = $2::date`,
            [person, at(day, '00:00')],
          );
          const ends = to < from ? day + 1 : day;
          for (const [kind, time] of [
            ['in', at(day, from)],
            ['out', at(ends, to)],
          ])
            await client.query(LATE, [person, crypto.randomUUID(), kind, assignment, time]);
        },
        approve: async () => (await decide(true))[0],
        reject: () => decide(false),
        coverage: async () =>
          (
            await as(
              sheets,
              finance,
              `select concat_ws(' ', sum(required_minutes), sum(worked_minutes), sum(uncovered_minutes)) as text
             from coverage(${MONTH}, $1)`,
              [customer],
            )
          )[0]?.text,
        unbilled: async () =>
          (
            await as(
              sheets,
              finance,
              `select concat_ws(' ', reason, sum(minutes)) as text from unbilled_hours(${MONTH}, $1) group by reason`,
              [customer],
            )
          ).map(({ text }) => text),
        bill: async (from = '2025-03-01', to = '2025-03-31') => {
          const drafts = await as(sheets, finance, 'select * from draft_invoices($1, $2, $3)', [
            from,
            to,
            customer,
          ]);
          const lines = await client.query<{ text: string }>(
            `select concat_ws(' ', l.kind, trim_scale(l.quantity), l.amount) as text from invoice_lines l
           join invoices i on i.id = l.invoice_id where i.contract_id = $1 and i.status = 'draft' order by l.position`,
            [contract],
          );
          for (const { invoice_id: id } of drafts) {
            if (id) await as(sheets, finance, 'select issue_invoice($1)', [id]);
          }
          return lines.rows.map(({ text }) => text);
        },
        paid: () =>
          one(
            `select sum(l.amount) from payslip_lines l join payslips s on s.id = l.payslip_id
           join pay_runs r on r.id = s.pay_run_id
           where r.status in ('locked', 'paid') and l.kind in ('regular', 'overtime_1', 'overtime_2', 'night', 'adjustment')`,
          ),
      });
    },
  );
}

/** Twelve hours on Monday, and nobody on Wednesday. */
const WEEK = ['3 06:00-18:00', '5 06:00-18:00 | -'];
const STATE = `select concat_ws(' ', status, attendance_state, no_show_reason) from assignments
  where starts_at::date = '2025-03-05' and user_id = '${guardHere.id}'`;

describe('an approved late event', () => {
  test('covers the post, is unbilled, and is the attendance that the guard and the office see', () =>
    late({ shifts: WEEK }, async ({ sheets, one, send, approve, coverage, unbilled, paid }) => {
      expect(await coverage()).toBe('1440 720 720');
      expect(await unbilled()).toEqual(['not_drafted 720']);
      await send(5, '06:10', '18:00');
      expect(await coverage()).toBe('1440 720 720');
      expect(await approve()).toMatchObject({ status: 'approved', amount: '11.83' });
      expect(await coverage()).toBe('1440 1430 10');
      expect(await unbilled()).toEqual(['not_drafted 1430']);
      expect(await one(STATE)).toBe('completed out');
      for (const person of [guardHere, opsManager])
        expect(
          await as(
            sheets,
            person,
            `select clock_in_at, late_minutes, clock_in_way, flags, needs_review, resolution from attendance
             where clock_in_at::date = '2025-03-05'`,
          ),
        ).toEqual([
          {
            clock_in_at: new Date(at(5, '06:10')),
            late_minutes: 10,
            clock_in_way: 'phone',
            flags: expect.arrayContaining(['sent_late']),
            needs_review: false,
            resolution: 'The late clock events were approved.',
          },
        ]);
      expect(await paid()).toBe('12.00');
      await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('23.83');
    }));

  test('clears the no-show that the office had marked', () =>
    late({ shifts: WEEK }, async ({ sheets, run, one, send, approve, reject }) => {
      await as(sheets, finance, `select void_pay_run($1, 'Marked')`, [run]);
      await sheets.client.query(
        `update assignments set status = 'no_show', no_show_reason = 'Asleep' where starts_at::date = '2025-03-05'`,
      );
      await lockRun(sheets);
      await send(5, '06:00', '18:00');
      await approve();
      expect(await one(STATE)).toBe('completed out');
      await reject();
      expect(await one(STATE)).toBe('no_show none Asleep');
    }));

  test('leaves what is locked as it was, and locks with it', () =>
    late({ shifts: WEEK }, async ({ sheets, send, approve }) => {
      const { client } = sheets;
      const LOCKED = `select jsonb_agg(to_jsonb(t) order by t.id) as sheets,
        (select jsonb_agg(to_jsonb(s) order by s.id) from payslips s) as slips,
        (select jsonb_agg(to_jsonb(d) order by d.id) from timesheet_days d) as days from timesheets t`;
      const before = (await client.query(LOCKED)).rows;
      await send(5, '06:00', '18:00');
      await approve();
      expect((await client.query(LOCKED)).rows).toEqual(before);
      for (const sql of [
        `update attendance set clock_out_at = clock_out_at + interval '1 hour' where clock_in_at::date = '2025-03-05'`,
        `delete from attendance where clock_in_at::date = '2025-03-05'`,
        `update assignments set status = 'no_show' where starts_at::date = '2025-03-05'`,
        `delete from time_segments where day = '2025-03-05'`,
        `insert into time_segments (timesheet_id, user_id, day, attendance_id, starts_at, ends_at, class, rule, rate, time_rule_id)
         select timesheet_id, user_id, day, attendance_id, starts_at + interval '12 hours', ends_at + interval '12 hours',
           class, rule, rate, time_rule_id from time_segments where day = '2025-03-05'`,
      ])
        expect(await refused(sheets, sql), sql).toBe(
          'PT409 The period March 1 to 31, 2025 is locked.',
        );
    }));

  test('is billed by the next draft of its month, beside the issued invoice', () =>
    late({ shifts: WEEK }, async ({ send, approve, bill, unbilled, one }) => {
      expect(await bill()).toEqual(['regular 12 24.00']);
      await send(5, '06:00', '18:00');
      await approve();
      expect(await unbilled()).toEqual(['not_drafted 720']);
      expect(await bill()).toEqual(['regular 12 24.00']);
      expect(await unbilled()).toEqual([]);
      expect(
        await one(
          `select sum(minutes) from billed_time where user_id = '${guardHere.id}' and freed_at is null`,
        ),
      ).toBe('1440');
    }));

  test('takes the credit for its gap back from the client, as far as it covers the gap, once', () =>
    late(
      {
        shifts: [...WEEK, '6 06:00-18:00 | -'],
        terms: { basis: 'fixed', monthly_amount: 360 },
      },
      async ({ send, approve, bill }) => {
        expect(await bill()).toEqual(['fixed 1 360.00', 'gap_credit -24 -240.00']);
        await send(5, '09:00', '18:00');
        await approve();
        expect(await bill('2025-04-01', '2025-04-15')).toEqual(['settlement 9 90.00']);
        expect(await bill('2025-04-16', '2025-04-20')).toEqual([]);
        await send(6, '06:00', '18:00');
        await approve();
        expect(await bill('2025-04-16', '2025-04-20')).toEqual(['settlement 12 120.00']);
      },
    ));

  test('is not billed on top of a minimum that was filled up without it', () =>
    late(
      { shifts: WEEK, terms: { basis: 'minimum', minimum_hours: 20, gap_credit: 'none' } },
      async ({ send, approve, bill }) => {
        expect(await bill()).toEqual(['regular 12 24.00', 'minimum 8 16.00']);
        await send(5, '06:00', '18:00');
        await approve();
        expect(await bill()).toEqual(['regular 12 24.00', 'settlement -8 -16.00']);
        expect(await bill('2025-04-01', '2025-04-20')).toEqual([]);
      },
    ));

  test('counts in the margin as worked and as paid', () =>
    late({ shifts: WEEK }, async ({ sheets, send, approve }) => {
      const worked = () =>
        as(sheets, finance, `select worked_minutes, paid_minutes from margin_hours(${MONTH}, $1)`, [
          sheets.site,
        ]);
      expect(await worked()).toEqual([{ worked_minutes: '720', paid_minutes: '720' }]);
      await send(5, '06:00', '18:00');
      await approve();
      expect(await worked()).toEqual([{ worked_minutes: '1440', paid_minutes: '1440' }]);
    }));

  test('waits for its clock-out', () =>
    late({ shifts: WEEK }, async ({ sheets, one }) => {
      const assignment = await one(
        `select id from assignments where user_id = $1 and starts_at::date = '2025-03-05'`,
        [sheets.person],
      );
      await sheets.client.query(LATE, [
        sheets.person,
        crypto.randomUUID(),
        'in',
        assignment,
        at(5, '06:00'),
      ]);
      expect(
        await refused(sheets, `select decide_adjustment(id, true) from pay_adjustments`, [], admin),
      ).toContain('have not both arrived');
    }));
});

describe('a night across the end of the month that arrives late', () => {
  const NIGHT = ['3 06:00-18:00', '31 18:00-06:00 | -'];

  test('is an adjustment of what is locked, and hours of the month that is open', () =>
    late({ shifts: NIGHT, until: 32 }, async ({ sheets, send, approve, paid }) => {
      await send(31, '18:00', '06:00');
      expect(await approve()).toMatchObject({ amount: '6.00' });
      await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('24.00');
    }));

  test('is a correction of the next month, too, if that is locked', () =>
    late(
      { shifts: [...NIGHT, '34 06:00-18:00'], until: 34 },
      async ({ sheets, send, approve, paid, one }) => {
        await lockRun(sheets, '2025-04-01');
        await send(31, '18:00', '06:00');
        expect(await approve()).toMatchObject({ amount: '6.00' });
        expect(
          await one(
            `select concat_ws(' ', kind, period_start, amount) from pay_adjustments where status = 'to_decide'`,
          ),
        ).toBe('correction 2025-04-01 6.00');
        await as(
          sheets,
          admin,
          `select decide_adjustment(id, true) from pay_adjustments where kind = 'correction'`,
        );
        await lockRun(sheets, '2025-05-01');
        expect(await paid()).toBe('36.00');
      },
    ));
});

describe('an approval that is taken back', () => {
  test('takes the attendance with it, and can be given again', () =>
    late({ shifts: WEEK }, async ({ send, approve, reject, coverage, unbilled, one }) => {
      const before = await one(STATE);
      await send(5, '06:00', '18:00');
      await approve();
      await reject();
      expect([await one(STATE), await coverage(), await unbilled()]).toEqual([
        before,
        '1440 720 720',
        ['not_drafted 720'],
      ]);
      expect(await approve()).toMatchObject({ status: 'approved', amount: '12.00' });
      expect([await coverage(), await unbilled()]).toEqual(['1440 1440 0', ['not_drafted 1440']]);
    }));

  test('is refused once an issued invoice bills the hours, until that line is credited', () =>
    late({ shifts: WEEK }, async ({ sheets, contract, send, approve, bill, reject, one }) => {
      await send(5, '06:00', '18:00');
      await approve();
      await bill();
      expect(
        await refused(
          sheets,
          `select decide_adjustment(id, false) from pay_adjustments`,
          [],
          admin,
        ),
      ).toBe('PT409 An issued invoice bills these hours. Credit their line first.');
      await as(
        sheets,
        finance,
        `select credit_invoice(i.id, 'Wrong') from invoices i where i.contract_id = '${contract}'`,
      );
      await reject();
      expect(await one('select count(*) from attendance')).toBe('1');
    }));

  test('opens the record again that it had closed', () =>
    late(
      { shifts: ['3 06:00-18:00', '5 06:00-18:00 | 06:00-'] },
      async ({ sheets, one, approve, reject }) => {
        await sheets.client.query(LATE.replace('null, now()', '$6, now()'), [
          sheets.person,
          crypto.randomUUID(),
          'out',
          await one(`select assignment_id from attendance where clock_out_at is null`),
          at(5, '17:00'),
          await one(`select id from attendance where clock_out_at is null`),
        ]);
        expect(await approve()).toMatchObject({ amount: '11.00' });
        expect(
          await one(`select clock_out_at from attendance where clock_in_at::date = '2025-03-05'`),
        ).toEqual(new Date(at(5, '17:00')));
        await reject();
        expect(
          await one(`select clock_out_at from attendance where clock_in_at::date = '2025-03-05'`),
        ).toBeNull();
      },
    ));
});

describe('a void', () => {
  test('of the run that paid the adjustment leaves it to the next one, and the attendance as it is', () =>
    late({ shifts: WEEK }, async ({ sheets, send, approve, coverage, paid }) => {
      await send(5, '06:00', '18:00');
      await approve();
      const april = await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('24.00');
      await as(sheets, finance, `select void_pay_run($1, 'Wrong')`, [april]);
      expect([await paid(), await coverage()]).toEqual(['12.00', '1440 1440 0']);
      await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('24.00');
    }));

  test('of the run of its days makes it hours of that month, which are paid once', () =>
    late(
      { shifts: WEEK },
      async ({ sheets, run, send, approve, coverage, unbilled, paid, one }) => {
        await send(5, '06:00', '18:00');
        await approve();
        await as(sheets, finance, `select void_pay_run($1, 'Wrong')`, [run]);
        expect(await one('select status from pay_adjustments')).toBe('superseded');
        expect(
          await one(`select regular_minutes from timesheets where period_start = '2025-03-01'`),
        ).toBe(1440);
        expect(await coverage()).toBe('1440 1440 0');
        const again = await lockRun(sheets);
        expect([await paid(), await unbilled()]).toEqual(['24.00', ['not_drafted 1440']]);
        await lockRun(sheets, '2025-04-01');
        expect(await paid()).toBe('24.00');
        expect(
          await as(sheets, finance, 'select propose_corrections($1) as count', [again]),
        ).toEqual([{ count: 0 }]);
      },
    ));

  test('of the run of its days is refused while a later one has paid it', () =>
    late({ shifts: WEEK }, async ({ sheets, run, send, approve }) => {
      await send(5, '06:00', '18:00');
      await approve();
      await lockRun(sheets, '2025-04-01');
      expect(await refused(sheets, `select void_pay_run('${run}', 'Wrong')`, [], finance)).toBe(
        'PT409 The pay run of April 2025 has paid corrections of this one. Void that run first.',
      );
    }));

  test('lets undecided events be approved as attendance of the open month', () =>
    late({ shifts: WEEK }, async ({ sheets, run, send, approve, paid, one }) => {
      await send(5, '06:00', '18:00');
      await as(sheets, finance, `select void_pay_run($1, 'Wrong')`, [run]);
      expect(await approve()).toMatchObject({ status: 'superseded', amount: null });
      expect(
        await one(`select regular_minutes from timesheets where period_start = '2025-03-01'`),
      ).toBe(1440);
      await lockRun(sheets);
      await lockRun(sheets, '2025-04-01');
      expect(await paid()).toBe('24.00');
    }));
});

test.each([
  ['before', true],
  ['after', false],
])('a raise that is corrected %s the late hours are approved pays both, once', (_, isFirst) =>
  late({ shifts: WEEK }, async ({ sheets, run, send, approve, paid }) => {
    const correct = async () => {
      await sheets.client.query('update pay_bases set amount = 1.5');
      await as(sheets, finance, 'select propose_corrections($1)', [run]);
      await as(
        sheets,
        admin,
        `select decide_adjustment(id, true) from pay_adjustments where kind = 'correction' and status = 'to_decide'`,
      );
    };
    await send(5, '06:00', '18:00');
    if (isFirst) await correct();
    await approve();
    if (!isFirst) await correct();
    await lockRun(sheets, '2025-04-01');
    expect(await paid()).toBe('36.00');
    expect(await as(sheets, finance, 'select propose_corrections($1) as count', [run])).toEqual([
      { count: 0 },
    ]);
  }),
);

/** Random numbers that are the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
}

/** 48 hours at US$1.00, and what is more at 1.50. */
const weekly = (hours: number): number => hours + Math.max(0, hours - 48) / 2;

test.each(Array.from({ length: 6 }, (_, index) => index + 1))(
  'in any order of locks, late events, decisions and voids each hour is paid once (%i)',
  (seed) => {
    const worked = [3, 4, 6, 33, 34, 35, 36, 63].map((day) => `${day} 06:00-18:00`);
    const shifts = [...worked, '5 06:00-18:00 | -', '7 06:00-18:00 | -', '31 18:00-06:00 | -'];
    return late({ shifts, until: 63 }, async ({ sheets, run: first, send, paid, coverage }) => {
      const next = numbers(seed * 7919);
      const runs = new Map([['2025-03-01', first]]);
      const waiting = [5, 7, 31];
      const sent: number[] = [];
      const lock = async (day: string) => {
        if (!runs.has(day)) runs.set(day, await lockRun(sheets, day));
      };
      const cancel = async (day: string) => {
        const run = runs.get(day);
        if (run === undefined) return;
        const answer = await refused(sheets, `select void_pay_run('${run}', 'Wrong')`, [], finance);
        if (answer === 'nothing was refused') runs.delete(day);
        else expect(answer).toContain('has paid corrections of this one');
      };
      /** @param isApproved false takes back what was approved, of late events alone */
      const decide = async (isApproved: boolean) => {
        const { rows } = await sheets.client.query<{ id: string }>(
          `select id from pay_adjustments where payslip_line_id is null and (kind = 'late_event' or $1)
             and case when $1 then status in ('to_decide', 'rejected') else status in ('to_decide', 'approved') end
           order by md5(id::text) limit 1`,
          [isApproved],
        );
        if (rows[0])
          await as(sheets, admin, 'select decide_adjustment($1, $2)', [rows[0].id, isApproved]);
        return rows.length > 0;
      };
      const propose = async () => {
        for (const run of runs.values())
          await as(sheets, finance, 'select propose_corrections($1)', [run]);
      };
      const steps: Record<string, () => Promise<unknown>> = {
        lockMarch: () => lock('2025-03-01'),
        lockApril: () => lock('2025-04-01'),
        voidMarch: () => cancel('2025-03-01'),
        voidApril: () => cancel('2025-04-01'),
        send: async () => {
          // Only of a period that is locked: else it is no late event.
          const day = waiting[0];
          if (day === undefined || !runs.has('2025-03-01')) return;
          waiting.shift();
          sent.push(day);
          await (day === 31 ? send(31, '18:00', '06:00') : send(day, '06:00', '18:00'));
        },
        approve: () => decide(true),
        approveAnother: () => decide(true),
        reject: () => decide(false),
        propose,
      };
      const names = Object.keys(steps);
      const done: string[] = [];
      for (let count = 0; count < 24; count += 1) {
        const name = names[next(names.length)] ?? '';
        done.push(name);
        await steps[name]?.();
      }
      await lock('2025-03-01');
      await lock('2025-04-01');
      // A proposal can follow from a decision.
      for (let round = 0; round < 3; round += 1) {
        await propose();
        for (let more = true; more; ) more = await decide(true);
      }
      await lockRun(sheets, '2025-05-01');
      const week = sent.filter((day) => day < 31).length * 12;
      const night = sent.includes(31) ? 12 : 0;
      expect([await paid(), await coverage()], done.join(', ')).toEqual([
        (weekly(36 + week) + weekly(48 + night) + 12).toFixed(2),
        `4320 ${2160 + week * 60 + night * 60} ${2160 - week * 60 - night * 60}`,
      ]);
    });
  },
);
