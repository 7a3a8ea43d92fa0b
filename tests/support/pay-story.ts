// A few people with pay bases and approved hours, for tests of pay runs. Everything is rolled back.
import type { Pool, PoolClient } from 'pg';
import { admin, finance, type Person } from './people.ts';
import { become, becomeOwner, call, refusal, rolledBack } from './session.ts';

export type Row = Record<string, unknown>;
/** Minutes of a class on a day of March 2032, whose first day is a Monday. */
export type Hours = [
  day: number,
  cls: string,
  minutes: number,
  more?: { rate?: number; attendance?: string; from?: string },
];

const RATES: Record<string, number> = {
  regular: 1,
  night: 1,
  overtime_1: 1.5,
  overtime_2: 2,
  holiday: 2,
  leave_paid: 1,
};

export interface PayStory {
  owner: (sql: string, values?: unknown[]) => Promise<Row[]>;
  as: (person: Pick<Person, 'claims'>, sql: string, values?: unknown[]) => Promise<Row[]>;
  refused: (person: Pick<Person, 'claims'>, sql: string, values?: unknown[]) => Promise<string>;
  /** What the service key or the owner of the database gets when a trigger refuses its statement. */
  refusedBeyondPolicies: (role: 'owner' | 'service_role', sql: string) => Promise<string>;
  /** A staff record, linked to the person. @returns its id */
  hire: (person: Person, columns?: Row) => Promise<string>;
  /** An approved timesheet of a month of 2032 with these hours. */
  hours: (
    person: Person,
    hours: Hours[],
    more?: { month?: number; status?: string; days?: Row },
  ) => Promise<void>;
  /** Begins and calculates a run as finance. @returns its id */
  calculate: (day?: string, group?: string, currency?: string) => Promise<string>;
  /** Approves as admin and locks as finance. */
  lock: (run: string) => Promise<void>;
  /** [kind, quantity, amount] of each line. */
  lines: (run: string, staff: string) => Promise<string[][]>;
  slip: (run: string, staff: string) => Promise<Row>;
}

async function insert(client: PoolClient, table: string, columns: Row): Promise<string> {
  const names = Object.keys(columns);
  const places = names.map((_, index) => `$${index + 1}`);
  const { rows } = await client.query<{ id: string }>(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')}) returning id`,
    Object.values(columns),
  );
  return rows[0]?.id ?? '';
}

export function payStory(pool: Pool, work: (story: PayStory) => Promise<void>): Promise<void> {
  return rolledBack(pool, async (client) => {
    const owner: PayStory['owner'] = async (sql, values = []) => {
      await becomeOwner(client);
      return (await client.query(sql, values)).rows;
    };
    const as: PayStory['as'] = async (person, sql, values = []) => {
      await become(client, person);
      return (await client.query(sql, values)).rows;
    };
    await work({
      owner,
      as,
      refused: async (person, sql, values = []) => {
        await become(client, person);
        return (await refusal(client, () => client.query(sql, values))).message;
      },
      refusedBeyondPolicies: async (role, sql) => {
        await becomeOwner(client);
        if (role === 'service_role') await client.query('set local role service_role');
        return (await refusal(client, () => client.query(sql))).message;
      },
      hire: async (person, columns = {}) => {
        await becomeOwner(client);
        return insert(client, 'staff', {
          full_name: person.name,
          user_id: person.id,
          hire_date: '2030-01-01',
          salary_amount: 143,
          ...columns,
        });
      },
      hours: async (person, hours, { month = 3, status = 'approved', days } = {}) => {
        await becomeOwner(client);
        const first = `2032-${String(month).padStart(2, '0')}-01`;
        const sheet = await insert(client, 'timesheets', {
          user_id: person.id,
          period_start: first,
          period_end: new Date(Date.UTC(2032, month, 0)).toISOString().slice(0, 10),
        });
        const began = new Map<number, number>();
        for (const [day, cls, minutes, more] of hours) {
          const at = began.get(day) ?? 0;
          began.set(day, at + minutes);
          await client.query(
            `insert into time_segments (timesheet_id, user_id, day, starts_at, ends_at, class, rule, rate, attendance_id, time_rule_id)
             select $1::uuid, $2::uuid, $3::date + $4::int, ($3::date + $4::int) + make_interval(mins => $5::int),
               ($3::date + $4::int) + make_interval(mins => $5::int + $6::int), $7::text, $8::text, $9::numeric,
               case when $7::text not like 'leave%' then coalesce($10::uuid, md5($2::uuid::text || $4::int::text)::uuid) end, r.id
             from time_rules r limit 1`,
            [
              sheet,
              person.id,
              first,
              day - 1,
              at,
              minutes,
              cls,
              cls.startsWith('leave') ? 'leave' : 'worked',
              more?.rate ?? RATES[cls] ?? 0,
              more?.attendance ?? null,
            ],
          );
        }
        if (days !== undefined) {
          await insert(client, 'timesheet_days', {
            timesheet_id: sheet,
            user_id: person.id,
            planned_minutes: 0,
            worked_minutes: 0,
            paid_minutes: 0,
            missing_minutes: 0,
            credited_minutes: 0,
            issues: [],
            explanations: '[]',
            ...days,
          });
        }
        await client.query(
          `update timesheets t set status = $2, regular_minutes = coalesce((
             select sum(s.minutes) from time_segments s where s.timesheet_id = t.id), 0),
             missing_minutes = coalesce((select sum(d.missing_minutes) from timesheet_days d where d.timesheet_id = t.id), 0),
             leave_unpaid_minutes = coalesce((
               select sum(s.minutes) from time_segments s where s.timesheet_id = t.id and s.class = 'leave_unpaid'), 0)
           where t.id = $1`,
          [sheet, status],
        );
      },
      calculate: async (day = '2032-03-15', group = 'monthly', currency = 'USD') => {
        await become(client, finance);
        const run = await call<string>(client, 'create_pay_run($1, $2, $3)', [
          group,
          currency,
          day,
        ]);
        await call(client, 'calculate_pay_run($1)', [run]);
        // The payslips equal their lines.
        await client.query('set constraints all immediate; set constraints all deferred');
        return run;
      },
      lock: async (run) => {
        await become(client, admin);
        await call(client, 'approve_pay_run($1)', [run]);
        await become(client, finance);
        await call(client, 'lock_pay_run($1)', [run]);
        await client.query('set constraints all immediate; set constraints all deferred');
      },
      lines: async (run, staff) =>
        (
          await owner(
            `select l.kind, trim_scale(l.quantity)::text as quantity, l.amount from payslip_lines l
             join payslips s on s.id = l.payslip_id where s.pay_run_id = $1 and s.staff_id = $2 order by l.position`,
            [run, staff],
          )
        ).map((row) => Object.values(row).map((value) => String(value ?? ''))),
      slip: async (run, staff) =>
        (
          await owner(
            'select gross, taxable, deductions, net, employer_cost from payslips where pay_run_id = $1 and staff_id = $2',
            [run, staff],
          )
        )[0] ?? {},
    });
  });
}

/** Shifts of a class on several days. */
export const hoursOn = (days: number[], cls: string, minutes: number): Hours[] =>
  days.map((day) => [day, cls, minutes]);
