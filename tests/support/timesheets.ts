// Writes a person's shifts, attendance and leave of March 2025 in one line each, and reads the timesheets that follow from
// them in the same words. Days count from March 1, 2025, a Saturday: 3 is a Monday, 32 is April 1.
import pg, { type Pool, type PoolClient } from 'pg';
import { guardHere, type Person } from './people.ts';
import { become, becomeOwner, rolledBack } from './session.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2025, 2, 1);
const ONE_DAY = 1440;

export interface Hours {
  /** `day from-to` as planned, then `| from-to` as attended, `| from-` without a clock-out, `| -` if nobody came. */
  shifts?: readonly string[];
  /** `type first-last`. */
  leave?: readonly string[];
  /** `day name`, or `day works` for a public holiday on which work is as usual. */
  holidays?: readonly string[];
  /** `day kind yes|no`, about the first record of attendance of the shift that starts on that day. */
  decisions?: readonly string[];
  /** Columns of the rules, for all days. */
  rules?: string;
  /** Rules from a day on. */
  laterRules?: readonly [day: number, set: string][];
  zone?: string;
  payment?: 'monthly' | 'weekly' | 'bi-weekly';
}

const pad = (value: number): string => String(value).padStart(2, '0');

/** @returns `YYYY-MM-DD` */
export const dateOf = (day: number): string =>
  new Date(FIRST + (day - 1) * DAY_MS).toISOString().slice(0, 10);

const dayOf = (date: string): number => (Date.parse(`${date}T00:00Z`) - FIRST) / DAY_MS + 1;

/** Local minutes since the beginning of March → `YYYY-MM-DD HH:MM`. */
const localTime = (minutes: number): string =>
  `${dateOf(Math.floor(minutes / ONE_DAY) + 1)} ${pad(Math.floor((minutes % ONE_DAY) / 60))}:${pad(minutes % 60)}`;

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/** The occurrence of a time of day that is nearest to another time. */
const nearest = (time: string, to: number): number => {
  const base = Math.floor(to / ONE_DAY) * ONE_DAY + minutesOf(time);
  const all = [base - ONE_DAY, base, base + ONE_DAY];
  return all.reduce((best, one) => (Math.abs(one - to) < Math.abs(best - to) ? one : best), base);
};

interface Shift {
  from: number;
  to: number;
  came?: number;
  went?: number;
}

function shiftOf(text: string): Shift {
  const [plan = '', attended] = text.split(' | ');
  const [day = '', times = ''] = plan.split(' ');
  const [start = '', end = ''] = times.split('-');
  const from = (Number(day) - 1) * ONE_DAY + minutesOf(start);
  const length = (minutesOf(end) - minutesOf(start) + ONE_DAY) % ONE_DAY;
  const to = from + (length === 0 ? ONE_DAY : length);
  if (attended === '-') return { from, to };
  if (attended === undefined) return { from, to, came: from, went: to };
  const [came = '', went = ''] = attended.split('-');
  return {
    from,
    to,
    came: nearest(came, from),
    ...(went !== '' && { went: nearest(went, to) }),
  };
}

export class Timesheets {
  readonly person = guardHere.id;
  readonly #zone: string;

  constructor(
    readonly client: PoolClient,
    readonly site: string,
    zone: string,
  ) {
    this.#zone = zone;
  }

  async one(sql: string, values: unknown[] = []): Promise<string> {
    const { rows } = await this.client.query<{ id: string }>(sql, values);
    return rows[0]?.id ?? '';
  }

  /** @returns the ids of the assignment and, if the guard came, of the attendance */
  async work(text: string): Promise<{ assignment: string; attendance: string }> {
    const { from, to, came, went } = shiftOf(text);
    const assignment = await this.one(
      `with shift as (
         insert into shifts (site_id, start_time, end_time)
         values ($1, $2::timestamp at time zone $5, $3::timestamp at time zone $5) returning id
       )
       insert into assignments (shift_id, user_id, override_reason) select id, $4, 'Flood' from shift returning id`,
      [this.site, localTime(from), localTime(to), this.person, this.#zone],
    );
    return {
      assignment,
      attendance: came === undefined ? '' : await this.attend(assignment, came, went),
    };
  }

  attend(assignment: string, came: number, went?: number): Promise<string> {
    return this.one(
      `insert into attendance (assignment_id, clock_in_at, clock_out_at)
       values ($1, $2::timestamp at time zone $4, $3::timestamp at time zone $4) returning id`,
      [assignment, localTime(came), went === undefined ? null : localTime(went), this.#zone],
    );
  }

  async leave(text: string): Promise<void> {
    const [type, days = ''] = text.split(' ');
    const [, first, last = first] = /^(-?\d+)-?(-?\d+)?$/.exec(days) ?? [];
    await this.client.query(
      `insert into leave_requests (user_id, type, start_date, end_date, reason, status)
       values ($1, $2, $3, $4, 'Family', 'approved')`,
      [this.person, type, dateOf(Number(first)), dateOf(Number(last))],
    );
  }

  async decide(text: string): Promise<void> {
    const [day, kind, answer] = text.split(' ');
    await this.client.query(
      `insert into time_decisions (attendance_id, user_id, site_id, kind, approved)
       select r.id, r.user_id, r.site_id, $1, $2 from attendance r join assignments a on a.id = r.assignment_id
       where r.user_id = $3 and (a.starts_at at time zone $5)::date = $4 order by r.clock_in_at limit 1`,
      [kind, answer === 'yes', this.person, dateOf(Number(day)), this.#zone],
    );
  }

  /** `day from-to class`, and the rule where it does not follow from the class. */
  async segments(): Promise<string[]> {
    const { rows } = await this.client.query<{ day: string; text: string }>(
      `select day::text, to_char(starts_at at time zone $2, 'HH24:MI') || '-' || to_char(ends_at at time zone $2, 'HH24:MI')
         || ' ' || class || case when (class, rule) in (('regular', 'worked'), ('night', 'night'), ('holiday', 'holiday'),
           ('leave_paid', 'leave'), ('leave_unpaid', 'leave')) then '' else ' ' || rule end as text
       from time_segments where user_id = $1 and day >= '2025-03-01' order by starts_at`,
      [this.person, this.#zone],
    );
    return rows.map(({ day, text }) => `${dayOf(day)} ${text}`);
  }

  /** What is missing, credited or to decide, by day. */
  async notes(): Promise<string[]> {
    const { rows } = await this.client.query<{ day: string; text: string }>(
      `select day::text, concat_ws(', ', case when missing_minutes <> 0 then 'missing ' || missing_minutes end,
         case when credited_minutes <> 0 then 'credited ' || credited_minutes end,
         nullif(array_to_string(issues, ', '), '')) as text
       from timesheet_days where user_id = $1 and day >= '2025-03-01' order by day`,
      [this.person],
    );
    return rows.filter(({ text }) => text !== '').map(({ day, text }) => `${dayOf(day)}: ${text}`);
  }

  async sentences(day: number): Promise<string[]> {
    const { rows } = await this.client.query<{ texts: string[] }>(
      `select array(select e ->> 'text' from jsonb_array_elements(explanations) e) as texts
       from timesheet_days where user_id = $1 and day = $2`,
      [this.person, dateOf(day)],
    );
    return rows[0]?.texts ?? [];
  }
}

/** Writes the facts, and calls `look` in the same transaction, which is rolled back. */
export function withHours(
  pool: Pool,
  site: string,
  hours: Hours,
  look: (sheets: Timesheets) => Promise<void>,
): Promise<void> {
  const { zone = 'Africa/Monrovia' } = hours;
  return rolledBack(pool, async (client) => {
    await becomeOwner(client);
    const sheets = new Timesheets(client, site, zone);
    await client.query('update private.settings set time_zone = $1', [zone]);
    if (hours.rules) await client.query(`update time_rules set ${hours.rules}`);
    for (const [day, set] of hours.laterRules ?? []) {
      await client.query(`insert into time_rules (name, effective_from) values ('Later', $1)`, [
        dateOf(day),
      ]);
      await client.query(`update time_rules set ${set} where effective_from = $1`, [dateOf(day)]);
    }
    for (const holiday of hours.holidays ?? []) {
      const [day, name = ''] = holiday.split(' ');
      await client.query(
        name === 'works'
          ? `insert into company_holidays (day, name, works) values ($1, $2, true)`
          : `insert into public_holidays (day, name) values ($1, $2)`,
        [dateOf(Number(day)), name],
      );
    }
    if (hours.payment) {
      await client.query(
        `update pay_bases set payment_frequency = $1 where staff_id = (select id from staff where user_id = $2)`,
        [hours.payment, sheets.person],
      );
    }
    for (const leave of hours.leave ?? []) await sheets.leave(leave);
    for (const shift of hours.shifts ?? []) await sheets.work(shift);
    for (const decision of hours.decisions ?? []) await sheets.decide(decision);
    await look(sheets);
  });
}

type Row = Record<string, unknown>;

export async function as(
  sheets: Timesheets,
  person: Person,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  await become(sheets.client, person);
  const { rows } = await sheets.client.query<Row>(sql, values);
  await becomeOwner(sheets.client);
  return rows;
}

/** @returns SQLSTATE and message of the refusal, after which the transaction goes on */
export async function refused(
  sheets: Timesheets,
  sql: string,
  values: unknown[] = [],
  person?: Person,
): Promise<string> {
  const { client } = sheets;
  await client.query('savepoint tried');
  if (person) await become(client, person);
  try {
    await client.query(sql, values);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    await client.query('rollback to savepoint tried');
    await becomeOwner(client);
    return `${error.code} ${error.message}`;
  }
  await becomeOwner(client);
  return 'nothing was refused';
}

/** The person's first timesheet. */
export async function sheetOf({ client, person }: Timesheets): Promise<Row> {
  const { rows } = await client.query<Row>(
    'select * from timesheets where user_id = $1 order by period_start',
    [person],
  );
  return rows[0] ?? {};
}
