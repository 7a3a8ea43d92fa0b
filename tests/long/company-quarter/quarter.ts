// The quarter as it goes by: hours arrive and are approved, and invoices are drawn, compared with our own and issued.

import type { Pool } from 'pg';
import { expect } from 'vitest';
import { type Actor, ask, claimsOf, insertRows, type Row } from '#tests/support/acting.ts';
import { DAY, dateOf, dayAt, dayOf, instant } from '../company-month/calendar.ts';
import { decide, importRecords, settleFlags } from '../company-month/clocking.ts';
import type { Presence } from '../company-month/facts.ts';
import { installClock, setClock } from './clock.ts';
import type { Client, Company, Contract, PlacedDuty } from './facts.ts';
import { company, ROSTER_FROM } from './guards.ts';
import { Coverage } from './reckoning/coverage.ts';
import type { Books, Moment } from './reckoning/draft.ts';
import { draw } from './reckoning/early.ts';
import { sheetEnd, workOf } from './reckoning/hours.ts';
import { Ledger } from './reckoning/ledger.ts';
import { type Hours, type Invoice, type Line, sumOf, told } from './reckoning/lines.ts';
import { settle } from './settling.ts';

/** Longer than anybody stays on. */
const UNTIL_HOME = 120;

export interface Drawn {
  id: string;
  contract: Contract;
  lines: Line[];
  first: number;
  last: number;
}

const OFFICE = ['ops_manager', 'hr', 'finance', 'admin'] as const;

async function hire(owner: Pool): Promise<Record<(typeof OFFICE)[number], Actor>> {
  const ids = Object.fromEntries(OFFICE.map((role) => [role, crypto.randomUUID()]));
  await insertRows(
    owner,
    'auth.users',
    OFFICE.map((role) => ({
      id: ids[role],
      email: `${role}@quarter.example`,
      raw_user_meta_data: { full_name: role },
    })),
  );
  await insertRows(
    owner,
    'user_roles',
    OFFICE.map((role) => ({ id: crypto.randomUUID(), user_id: ids[role], role })),
  );
  const actor = (role: (typeof OFFICE)[number]): Actor => ({ claims: claimsOf(ids[role] ?? '') });
  return {
    ops_manager: actor('ops_manager'),
    hr: actor('hr'),
    finance: actor('finance'),
    admin: actor('admin'),
  };
}

export class Quarter {
  readonly company: Company = company();
  readonly books: Books;
  readonly ledger: Ledger;
  readonly differences: string[] = [];
  now = ROSTER_FROM * DAY;
  /** The id of each record of attendance. */
  readonly records = new Map<Presence, string>();
  /** The days of the visits to the office before now. */
  readonly #visits: number[] = [];

  private constructor(
    readonly owner: Pool,
    readonly office: Awaited<ReturnType<typeof hire>>,
    readonly assignments: Map<PlacedDuty, string>,
    company: Company,
  ) {
    this.company = company;
    const hours = new Map<Client, Hours[]>(company.clients.map((client) => [client, []]));
    const worked = workOf(company.guards);
    for (const one of worked.hours) hours.get(one.place.client)?.push(one);
    this.books = { hours, coverage: new Coverage(company.shifts, worked), invoices: [] };
    this.ledger = new Ledger(this.books.invoices);
  }

  static async begin(owner: Pool): Promise<Quarter> {
    await installClock(owner);
    await setClock(owner, ROSTER_FROM * DAY);
    const all = company();
    const assignments = await settle(owner, all);
    return new Quarter(owner, await hire(owner), assignments, all);
  }

  get today(): number {
    return dayAt(this.now);
  }

  get moment(): Moment {
    const last = this.#visits.at(-1) ?? 0;
    return {
      now: this.now,
      hasArrived: ({ to }) => to + UNTIL_HOME <= this.now,
      isApproved: ({ guard, on }) => sheetEnd(guard, on) < (guard.isLate ? last : this.today),
    };
  }

  /** Goes on to 09:00 of this day: what was worked until then arrives, is decided and approved. */
  async goTo(date: string): Promise<void> {
    const before = this.now;
    this.#visits.push(this.today);
    this.now = dayOf(date) * DAY + 9 * 60;
    await setClock(this.owner, this.now);
    const arrived = ({ to }: PlacedDuty) => to + UNTIL_HOME > before && to + UNTIL_HOME <= this.now;
    const people = this.company.guards.map((guard) => ({
      guard: { duties: guard.duties.filter(arrived) },
      assignments: this.assignments,
    }));
    const { owner, office } = this;
    const decided = await importRecords(owner, people);
    const duties = people.flatMap(({ guard }) => guard.duties);
    const absent = duties.filter(({ isNoShow }) => isNoShow);
    await settleFlags(
      owner,
      office.ops_manager,
      absent.map((duty) => this.assignments.get(duty)),
    );
    await decide(
      owner,
      office.ops_manager,
      decided.filter(({ kind }) => kind === 'early_arrival'),
    );
    // The clock is ours, so no server runs here: this is what it does every two seconds.
    await owner.query('select private.due_time()');
    await decide(
      owner,
      office.ops_manager,
      decided.filter(({ kind }) => kind !== 'early_arrival'),
    );
    await this.#noteRecords(duties);
    await this.#approve();
  }

  async #noteRecords(duties: PlacedDuty[]): Promise<void> {
    const { rows } = await this.owner.query<{ id: string; assignment_id: string; came: Date }>(
      'select id, assignment_id, clock_in_at as came from attendance',
    );
    const ids = new Map(
      rows.map(({ id, assignment_id, came }) => [`${assignment_id} ${came.toISOString()}`, id]),
    );
    for (const duty of duties) {
      for (const presence of duty.presences) {
        const came = instant(presence.in, presence.inSecond);
        this.records.set(presence, ids.get(`${this.assignments.get(duty)} ${came}`) ?? '');
      }
    }
  }

  async #approve(): Promise<void> {
    const { owner, office } = this;
    const late = this.company.guards.filter(({ isLate }) => isLate).map(({ id }) => id);
    const [{ ids } = {}] = await ask(
      owner,
      office.hr,
      `select coalesce(array_agg(id), '{}') as ids from timesheets
       where status = 'open' and period_end < case when user_id = any ($1::uuid[]) then $2::date else $3::date end`,
      [late, dateOf(this.#visits.at(-1) ?? 0), dateOf(this.today)],
    );
    const [answer] = await ask(owner, office.hr, 'select * from approve_timesheets($1)', [ids]);
    expect(answer?.refused).toEqual([]);
  }

  contracts(client?: Client): Contract[] {
    return (client ? [client] : this.company.clients).flatMap(({ contracts }) => contracts);
  }

  /** Drafts as finance, of one client or all, and notes where the lines differ from ours. */
  async draft(from: string, to: string, client?: Client): Promise<Drawn[]> {
    const rows = await ask(
      this.owner,
      this.office.finance,
      'select * from draft_invoices($1, $2, $3)',
      [from, to, client?.id ?? null],
    );
    const found = new Map(
      rows.flatMap((row) => (row.invoice_id === null ? [] : [[String(row.contract_id), row]])),
    );
    const stored = await this.#storedLines([...found.values()].map((row) => row.invoice_id));
    return this.contracts(client).flatMap((contract) => {
      const lines = draw(this.books, contract, dayOf(from), dayOf(to), this.moment);
      const row = found.get(contract.id);
      const id = String(row?.invoice_id ?? '');
      this.compare(contract, `${from} to ${to}`, lines, stored.get(id) ?? [], row);
      if (lines.length === 0) return [];
      const first = Math.max(dayOf(from), contract.first);
      const end = contract.last !== undefined && contract.last >= first ? contract.last : dayOf(to);
      return [{ id, contract, lines, first, last: Math.min(end, dayOf(to)) }];
    });
  }

  compare(contract: Contract, what: string, lines: Line[], stored: string[], row?: Row): void {
    const ours = lines.map(told).sort();
    const total = Math.round(Number(row?.total ?? 0) * 100);
    if (ours.join() === stored.join() && BigInt(total) === sumOf(lines)) return;
    const only = (list: string[], other: string[]) => list.filter((line) => !other.includes(line));
    this.differences.push(`${contract.client.name}, ${what}, drawn on ${dateOf(this.today)}, gaps ${contract.gap}:
  only reckoned: ${only(ours, stored).join('; ')}
  only drafted: ${only(stored, ours).join('; ')}`);
  }

  async #storedLines(invoices: unknown[]): Promise<Map<string, string[]>> {
    const rows = await ask(
      this.owner,
      this.office.finance,
      `select invoice_id, concat_ws(' ', kind, coalesce(left(post_id::text, 8), '-'), (quantity * 10000)::bigint,
         (amount * 100)::bigint, (tax_amount * 100)::bigint, coalesce((month - $2::date)::text, '')) as line
       from invoice_lines where invoice_id = any ($1)`,
      [invoices, dateOf(0)],
    );
    const lines = new Map<string, string[]>();
    for (const row of rows) {
      const id = String(row.invoice_id);
      lines.set(id, [...(lines.get(id) ?? []), String(row.line)].sort());
    }
    return lines;
  }

  async discard(drafts: Drawn[]): Promise<void> {
    await ask(this.owner, this.office.finance, 'delete from invoices where id = any ($1)', [
      drafts.map(({ id }) => id),
    ]);
  }

  /** Finance and an admin issue at once, every other draft each. One below zero is discarded: it waits for the next. */
  async issue(drafts: Drawn[]): Promise<Invoice[]> {
    await this.discard(drafts.filter(({ lines }) => sumOf(lines) < 0n));
    const kept = drafts.filter(({ lines }) => sumOf(lines) >= 0n);
    const half = (rest: number) =>
      kept.flatMap(({ id }, index) => (index % 2 === rest ? [id] : []));
    const answers = await Promise.all(
      [this.office.finance, this.office.admin].flatMap((person, index) =>
        half(index).length === 0
          ? []
          : [ask(this.owner, person, 'select * from issue_invoices($1)', [half(index)])],
      ),
    );
    const numbers = new Map(answers.flat().map((row) => [String(row.id), row]));
    return kept.map(({ id, contract, lines, first, last }) => {
      const answer = numbers.get(id);
      if (answer?.number == null)
        this.differences.push(`${contract.client.name} is not issued: ${answer?.refusal}`);
      const invoice: Invoice = {
        id,
        contract,
        lines,
        first,
        last,
        issuedOn: this.today,
        number: String(answer?.number),
        credited: 0n,
        paid: 0n,
      };
      for (const line of lines) for (const hours of line.hours) hours.state = line;
      this.books.invoices.push(invoice);
      this.ledger.issue(invoice);
      return invoice;
    });
  }
}
