// A client with a site of two posts, a contract, and what guards worked there. Everything is rolled back. Days count from
// March 1, 2025, a Saturday: 32 is April 1. The company's zone is UTC.
import { DatabaseError, type Pool } from 'pg';
import { finance, guardHere, type Person } from './people.ts';
import { become, becomeOwner, refusal, rolledBack } from './session.ts';

export type Row = Record<string, unknown>;
export type Post = 'gate' | 'yard' | undefined;

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2025, 2, 1);

/** @returns `YYYY-MM-DD` */
export const dateOf = (day: number): string =>
  new Date(FIRST + (day - 1) * DAY_MS).toISOString().slice(0, 10);

/** The time of a day, or of the next one if it is not after `from`. */
function instant(day: number, time: string, from?: string): string {
  const isNext = from !== undefined && time <= from;
  return `${dateOf(isNext ? day + 1 : day)}T${time}Z`;
}

export interface Work {
  cls?: string;
  rule?: string;
  status?: string;
  /** Day on which the work begins, if it is not the shift's. */
  day?: number;
  /** Id of the record, where two stories have records. */
  attendance?: string;
}

export class BillingStory {
  client = '';
  site = '';
  posts = { gate: '', yard: '' };
  contract = '';
  #records = 0;

  constructor(readonly query: (sql: string, values?: unknown[]) => Promise<Row[]>) {}

  async id(sql: string, values: unknown[] = []): Promise<string> {
    const [row] = await this.query(`${sql} returning id`, values);
    return String(row?.id);
  }

  insert(table: string, columns: Row): Promise<string> {
    const names = Object.keys(columns);
    const places = names.map((_, index) => `$${index + 1}`);
    return this.id(
      `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
      Object.values(columns),
    );
  }

  async setUp(name = 'Embassy'): Promise<void> {
    this.client = await this.insert('clients', {
      name,
      number_of_guards: 4,
      monthly_rate: 1600,
      location: 'Mamba Point',
    });
    this.site = await this.insert('sites', {
      name: 'Residence',
      client_name: name,
      client_id: this.client,
      address: 'Mamba Point',
    });
    for (const name of ['gate', 'yard'] as const) {
      this.posts[name] = await this.insert('posts', { site_id: this.site, name });
    }
    this.contract = await this.insert('contracts', {
      client_id: this.client,
      title: 'Guards',
      starts_on: '2025-01-01',
    });
  }

  /** A post of the contract, or every other shift at the site. */
  bill(post: Post, columns: Row = {}): Promise<string> {
    return this.insert('contract_posts', {
      contract_id: this.contract,
      site_id: this.site,
      post_id: post === undefined ? null : this.posts[post],
      ...columns,
    });
  }

  rate(amount: number, columns: Row = {}): Promise<string> {
    return this.insert('rates', {
      contract_id: this.contract,
      amount,
      effective_from: '2025-01-01',
      ...columns,
    });
  }

  /** @param times `06:00-18:00`; an end that is not later is on the next day */
  shift(post: Post, day: number, times: string, headcount = 1): Promise<string> {
    const [from = '', to = ''] = times.split('-');
    return this.insert('shifts', {
      site_id: this.site,
      post_id: post === undefined ? null : this.posts[post],
      start_time: instant(day, from),
      end_time: instant(day, to, from),
      required_headcount: headcount,
    });
  }

  /** Computed time of a person on a shift, in a timesheet of the month, cut at midnight. @returns the record of attendance */
  async work(person: Person, shift: string, times: string, more: Work = {}): Promise<string> {
    const { cls = 'regular', rule = 'worked', status = 'approved' } = more;
    const [from = '', to = ''] = times.split('-');
    const [found] = await this.query(
      `select (start_time at time zone 'UTC')::date - date '2025-03-01' + 1 as day from shifts where id = $1`,
      [shift],
    );
    const day = more.day ?? Number(found?.day);
    this.#records += 1;
    const attendance =
      more.attendance ?? `00000000-0000-4000-8000-${String(this.#records).padStart(12, '0')}`;
    const isNight = to <= from && to !== '00:00';
    const pieces = isNight
      ? [
          [day, instant(day, from), instant(day, '00:00', from)],
          [day + 1, instant(day + 1, '00:00'), instant(day + 1, to)],
        ]
      : [[day, instant(day, from), instant(day, to, from)]];
    for (const [on, starts, ends] of pieces) {
      const date = dateOf(Number(on));
      await this.query(
        `insert into timesheets (user_id, period_start, period_end, status)
         values ($1, date_trunc('month', $2::date)::date, (date_trunc('month', $2::date) + interval '1 month - 1 day')::date, $3)
         on conflict on constraint timesheets_do_not_overlap do nothing`,
        [person.id, date, status],
      );
      await this.query(
        `insert into time_segments (timesheet_id, user_id, day, attendance_id, shift_id, site_id, starts_at, ends_at, class,
           rule, rate, time_rule_id)
         select t.id, t.user_id, $2::date, $3, $4, $5, $6, $7, $8, $9, 1, (select id from time_rules limit 1)
         from timesheets t where t.user_id = $1 and $2::date between t.period_start and t.period_end`,
        [person.id, date, attendance, shift, this.site, starts, ends, cls, rule],
      );
    }
    return attendance;
  }
}

export interface Caller {
  story: BillingStory;
  as: (person: Pick<Person, 'claims'>, sql: string, values?: unknown[]) => Promise<Row[]>;
  /** The message of the refusal; `owner` is refused by triggers and functions alone. */
  refused: (
    person: Pick<Person, 'claims'> | 'owner',
    sql: string,
    values?: unknown[],
  ) => Promise<string>;
  owner: (sql: string, values?: unknown[]) => Promise<Row[]>;
  /** Undoes the work if the database refuses it. */
  attempt: (work: () => Promise<unknown>) => Promise<void>;
  /** Drafts as finance. @returns what draft_invoices returns */
  draft: (from: number, to: number) => Promise<Row[]>;
  /** As finance; on an earlier day, it is written by hand. */
  issue: (invoice: unknown, on?: string) => Promise<void>;
  /** `kind quantity amount` of each generated line of the client's drafts, in order. */
  lines: () => Promise<string[]>;
}

/** Day shifts of the guard at the gate on these days, all approved. */
export async function dayShifts({ story }: Caller, days: number[], times = '06:00-18:00') {
  for (const day of days)
    await story.work(guardHere, await story.shift('gate', day, '06:00-18:00'), times);
}

export function billingStory(pool: Pool, work: (caller: Caller) => Promise<void>): Promise<void> {
  return rolledBack(pool, async (client) => {
    const owner: Caller['owner'] = async (sql, values = []) => {
      await becomeOwner(client);
      return (await client.query(sql, values)).rows;
    };
    const as: Caller['as'] = async (person, sql, values = []) => {
      await become(client, person);
      return (await client.query(sql, values)).rows;
    };
    await owner(`update private.settings set time_zone = 'UTC'`);
    const story = new BillingStory(owner);
    await story.setUp();
    await work({
      story,
      owner,
      as,
      refused: async (person, sql, values = []) => {
        if (person === 'owner') await becomeOwner(client);
        else await become(client, person);
        return (await refusal(client, () => client.query(sql, values))).message;
      },
      attempt: async (work) => {
        await client.query('savepoint attempt');
        try {
          await work();
        } catch (error) {
          if (!(error instanceof DatabaseError)) throw error;
          await client.query('rollback to savepoint attempt');
        }
      },
      draft: async (from, to) => {
        const drafts = await as(finance, 'select * from draft_invoices($1, $2, $3)', [
          dateOf(from),
          dateOf(to),
          story.client,
        ]);
        // The sums equal the lines, and nothing is billed twice.
        await client.query('set constraints all immediate; set constraints all deferred');
        return drafts;
      },
      issue: async (invoice, on) => {
        if (on === undefined) {
          await as(finance, 'select issue_invoice($1)', [invoice]);
          return;
        }
        await owner(
          `update invoices set status = 'issued', year = 2025, sequence = 1, issued_on = $2, due_on = $2,
             bill_to = private.bill_to_of(contract_id, period_end) where id = $1`,
          [invoice, on],
        );
      },
      lines: async () =>
        (
          await owner(
            `select concat_ws(' ', l.kind, trim_scale(l.quantity), l.amount) as line from invoice_lines l
             join invoices i on i.id = l.invoice_id
             where i.client_id = $1 and i.status = 'draft' order by i.period_start, l.position`,
            [story.client],
          )
        ).map(({ line }) => String(line)),
    });
  });
}
