// A company whose days a test names: its people act at those times, under a clock that goes from one to the next, by the calls
// of their screens. What the product makes of it is read the same way.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Random } from '#demo/random.ts';
import { newClock } from '#scripts/simulate.mjs';
import type { Database } from '#shared/database.types.ts';
import { addDays, Clock, dayOf, MINUTE_MS } from './clock.ts';
import { firstAdmin, hire, hireOffice } from './company.ts';
import { accepted, type Client, Door } from './door.ts';
import { type Person, signInAgain } from './person.ts';
import { Phone } from './phone.ts';
import { Product } from './product.ts';
import { Settling } from './settle.ts';

/** Sessions last an hour. */
const SESSION_MS = 50 * MINUTE_MS;
const PLACE = { latitude: 6.3, longitude: -10.8 };
const GPS = '6.3000,-10.8000';
const OFFICE = ['admin', 'operations', 'hr', 'finance'] as const;
type Desk = (typeof OFFICE)[number];
type Group = 'weekly' | 'bi-weekly' | 'monthly';

interface Hiring {
  on: string;
  group: Group;
  /** USD for a period. */
  salary: number;
  /** USD an hour from `from` on, instead of the salary. */
  hourly?: { from: string; amount: number };
}

type Rates = Partial<Record<'regular' | 'night' | 'holiday', number>>;

interface Service {
  from: string;
  /** USD an hour. */
  rates?: Rates;
  /** USD a month, instead of the hours. */
  monthly?: number;
  timezone?: Database['public']['Tables']['sites']['Row']['timezone'];
}

interface Work {
  site: string;
  from: string;
  to: string;
  /** Why the roster's rules are overridden. */
  despite?: string;
}

export class CalendarCompany {
  readonly #acts: { at: number; what: string; run: () => Promise<unknown> }[] = [];
  readonly #people = new Map<string, { person: Person; phone: Phone; signedInAt: number }>();
  readonly #staff = new Map<string, string>();
  readonly #sites = new Map<string, string>();
  readonly #contracts = new Map<string, string>();
  readonly #clockSetUp = newClock();
  readonly #clock = new Clock(this.#clockSetUp.file, false);
  #product: Product | undefined;
  #door: Door | undefined;
  #dataDir = '';

  /** Sets the clock and opens the office. */
  constructor(private readonly opensAt: string) {}

  /** Somebody does something then. */
  at(time: string, what: string, run: () => Promise<unknown>): void {
    this.#acts.push({ at: Date.parse(time), what, run });
  }

  /** A guard with an account. */
  hires(name: string, { on, group, salary, hourly }: Hiring): void {
    this.at(`${on}T08:30Z`, `the admin hires ${name}`, async () => {
      const admin = await this.client('admin');
      const phone = `+23177${String(1_000_001 + this.#people.size)}`;
      const [person] = await hire({ ...this.#known('admin').person, client: admin }, this.door, [
        {
          full_name: name,
          email: null,
          phone,
          role: 'guard',
          hire_date: on,
          salary_amount: salary,
          payment_frequency: group,
        },
      ]);
      if (person === undefined) throw new Error(`${name} was not hired.`);
      this.#knows(name, person);
      const { data } = accepted(
        await admin.from('staff').select('id').eq('user_id', person.id).single(),
      );
      this.#staff.set(name, data?.id ?? '');
      if (hourly) await this.changePay(name, hourly.from, group, 'hourly', hourly.amount);
    });
  }

  async changePay(
    name: string,
    effective_from: string,
    payment_frequency: Group,
    basis: 'salary' | 'hourly',
    amount: number,
  ): Promise<void> {
    const admin = await this.client('admin');
    const staff_id = this.#of(this.#staff, name);
    accepted(
      await admin
        .from('pay_bases')
        .insert({ staff_id, effective_from, basis, payment_frequency, amount, currency: 'USD' }),
    );
  }

  /** A site with a client and a contract of its own, billed each month. */
  serves(site: string, { from, rates, monthly, timezone }: Service): void {
    this.at(`${from}T08:10Z`, `the office agrees with the client of ${site}`, async () => {
      const admin = await this.client('admin');
      const [clientId, siteId, contractId] = [1, 2, 3].map(() => crypto.randomUUID());
      if (!clientId || !siteId || !contractId) return;
      accepted(
        await admin.from('clients').insert({
          id: clientId,
          name: `Client of ${site}`,
          number_of_guards: 1,
          monthly_rate: 0,
          location: 'Monrovia',
          payment_method: 'monthly',
        }),
      );
      accepted(
        await admin.from('sites').insert({
          id: siteId,
          name: site,
          client_id: clientId,
          client_name: `Client of ${site}`,
          address: 'Old Road',
          ...PLACE,
          geofence_radius_m: 200,
          ...(timezone !== undefined && { timezone }),
        }),
      );
      const finance = await this.client('finance');
      accepted(
        await finance.from('contracts').insert({
          id: contractId,
          client_id: clientId,
          title: 'Guards',
          currency: 'USD',
          starts_on: from,
          ends_on: null,
          billing_cycle: 'monthly',
          billing_day: 1,
          payment_terms_days: 14,
          gap_credit: 'none',
          gap_factor: 1,
          tax_name: null,
        }),
      );
      accepted(
        await finance.from('contract_posts').insert({
          contract_id: contractId,
          site_id: siteId,
          post_id: null,
          basis: monthly === undefined ? 'worked' : 'fixed',
          monthly_amount: monthly ?? null,
          minimum_hours: null,
          starts_on: from,
          ends_on: null,
        }),
      );
      this.#sites.set(site, siteId);
      this.#contracts.set(site, contractId);
      if (rates) await this.changeRates(site, from, rates);
    });
  }

  async changeRates(site: string, effective_from: string, rates: Rates): Promise<void> {
    const finance = await this.client('finance');
    const contract_id = this.#of(this.#contracts, site);
    for (const kind of ['regular', 'night', 'holiday'] as const) {
      const amount = rates[kind];
      if (amount === undefined) continue;
      accepted(
        await finance
          .from('rates')
          .insert({ contract_id, contract_post_id: null, kind, amount, effective_from }),
      );
    }
  }

  /** Planned the day before, and clocked on the minute. */
  works(name: string, { site, from, to, despite }: Work): void {
    const planned = `${addDays(from.slice(0, 10), -1)}T09:00Z`;
    this.at(planned, `operations plans ${name} at ${site}`, async () => {
      const operations = await this.client('operations');
      const { data } = accepted(
        await operations
          .from('shifts')
          .insert({
            site_id: this.siteId(site),
            start_time: from,
            end_time: to,
            required_headcount: 1,
            notes: null,
          })
          .select('id')
          .single(),
      );
      await this.assign(name, data?.id ?? '', despite);
    });
    this.clocks(name, from, to);
  }

  async assign(name: string, shift: string, despite?: string): Promise<void> {
    const operations = await this.client('operations');
    accepted(
      await operations.rpc('assign_guards', {
        p_shift_id: shift,
        p_user_ids: [this.personId(name)],
        p_remove_user_ids: [],
        ...(despite !== undefined && { p_override_reason: despite }),
      }),
    );
  }

  /** In the guard's app, at the guard's current shift. */
  clocks(name: string, from: string, to: string): void {
    const clock = async (kind: 'in' | 'out', time: string, record?: string) => {
      const client = await this.client(name);
      const { data } = accepted(await client.rpc('my_current_shift').single());
      const { phone } = this.#known(name);
      const at = Date.parse(time);
      const event = await phone.press(kind, at, data?.assignment_id ?? '', GPS, record);
      const { refusal } = await phone.send(client, event, at);
      if (refusal !== undefined) throw new Error(`${name} at ${time}: ${refusal}`);
      return event.attendanceId;
    };
    let record = '';
    this.at(from, `${name} clocks in`, async () => {
      record = await clock('in', from);
    });
    this.at(to, `${name} clocks out`, () => clock('out', to, record));
  }

  /** HR approves what is over, finance calculates the group's period with this day, the admin approves, finance locks. */
  pays(group: Group, day: string, on: string): void {
    this.at(`${on}T10:00Z`, `the office pays ${group} of ${day}`, async () => {
      await this.approve(on);
      const finance = await this.client('finance');
      const { data: id } = accepted(
        await finance.rpc('create_pay_run', { p_pay_group: group, p_currency: 'USD', p_day: day }),
      );
      accepted(await finance.rpc('calculate_pay_run', { id: id ?? '' }));
      accepted(await (await this.client('admin')).rpc('approve_pay_run', { id: id ?? '' }));
      accepted(await finance.rpc('lock_pay_run', { id: id ?? '' }));
    });
  }

  /** HR approves the timesheets that have ended, the admin those of HR. */
  async approve(on: string): Promise<void> {
    const hr = await this.client('hr');
    const { data } = accepted(
      await hr
        .from('timesheets')
        .select('id, user_id')
        .in('status', ['open', 'submitted'])
        .lt('period_end', on),
    );
    // Nobody approves their own.
    const isOwn = ({ user_id }: { user_id: string }) => user_id === this.personId('hr');
    for (const [client, sheets] of [
      [hr, (data ?? []).filter((sheet) => !isOwn(sheet))],
      [await this.client('admin'), (data ?? []).filter(isOwn)],
    ] as const) {
      const ids = sheets.map(({ id }) => id);
      const { data: answer } = accepted(await client.rpc('approve_timesheets', { ids }).single());
      if (JSON.stringify(answer?.refused) !== '[]')
        throw new Error(`Timesheets are refused: ${JSON.stringify(answer?.refused)}`);
    }
  }

  /** Finance drafts what is due and issues it. */
  bills(on: string): void {
    this.at(`${on}T12:00Z`, 'finance bills', async () => {
      const finance = await this.client('finance');
      const { data } = accepted(await finance.rpc('draft_due_invoices', { p_on: on }));
      const ids = (data ?? []).flatMap(({ invoice_id, total }) =>
        invoice_id !== null && total > 0 ? [invoice_id] : [],
      );
      const { data: answers } = accepted(await finance.rpc('issue_invoices', { p_ids: ids }));
      const refused = (answers ?? []).flatMap(({ refusal }) => refusal ?? []);
      if (refused.length > 0) throw new Error(`Invoices are refused: ${refused.join('; ')}`);
    });
  }

  /** Minutes of the timesheet that has this day. */
  async sheet(name: string, day: string) {
    const hr = await this.client('hr');
    const { data } = accepted(
      await hr
        .from('timesheets')
        .select(
          'period_start, period_end, regular_minutes, night_minutes, overtime_1_minutes, holiday_minutes, leave_paid_minutes, missing_minutes',
        )
        .eq('user_id', this.personId(name))
        .lte('period_start', day)
        .gte('period_end', day)
        .single(),
    );
    if (data === null) throw new Error(`${name} has no timesheet with ${day}.`);
    const { period_start, period_end, ...minutes } = data;
    const worked = Object.entries(minutes).filter(([, count]) => count !== 0);
    return {
      days: `${period_start} to ${period_end}`,
      ...Object.fromEntries(worked.map(([key, count]) => [key.replace('_minutes', ''), count])),
    };
  }

  /** `minutes class` of each segment of a day. */
  async segments(name: string, day: string): Promise<string[]> {
    const hr = await this.client('hr');
    const { data } = accepted(
      await hr
        .from('time_segments')
        .select('minutes, class')
        .eq('user_id', this.personId(name))
        .eq('day', day)
        .order('starts_at'),
    );
    return (data ?? []).map(({ minutes, class: kind }) => `${minutes} ${kind}`);
  }

  /** `kind amount` of each line of the payslip of a period that has this day. */
  async payslip(name: string, group: Group, day: string): Promise<string[]> {
    const finance = await this.client('finance');
    const { data } = accepted(
      await finance
        .from('payslips')
        .select('payslip_lines(kind, amount, position), pay_runs!inner(pay_group)')
        .eq('staff_id', this.#of(this.#staff, name))
        .eq('pay_runs.pay_group', group)
        .lte('pay_runs.period_start', day)
        .gte('pay_runs.period_end', day),
    );
    const lines = (data ?? []).flatMap(({ payslip_lines }) => payslip_lines);
    return lines
      .toSorted((a, b) => a.position - b.position)
      .filter(({ amount }) => amount !== 0)
      .map(({ kind, amount }) => `${kind} ${amount.toFixed(2)}`);
  }

  /** `kind quantity x rate = amount` of each line of the issued invoices of a site's client for the month with this day. */
  async invoice(site: string, day: string): Promise<string[]> {
    const finance = await this.client('finance');
    const { data } = accepted(
      await finance
        .from('invoices')
        .select('invoice_lines(kind, quantity, rate, amount, position)')
        .eq('contract_id', this.#of(this.#contracts, site))
        .neq('status', 'draft')
        .lte('period_start', day)
        .gte('period_end', day),
    );
    const lines = (data ?? []).flatMap(({ invoice_lines }) => invoice_lines);
    return lines
      .toSorted((a, b) => a.position - b.position)
      .map(
        ({ kind, quantity, rate, amount }) =>
          `${kind} ${quantity} x ${rate} = ${amount.toFixed(2)}`,
      );
  }

  personId = (name: string): string => this.#known(name).person.id;
  siteId = (site: string): string => this.#of(this.#sites, site);

  /** Signed in at the time of the clock. @param who a guard, or a desk of the office */
  async client(who: Desk | (string & {})): Promise<Client> {
    const known = this.#known(who);
    const now = this.#clock.now().getTime();
    if (now - known.signedInAt > SESSION_MS) {
      await signInAgain(known.person);
      known.signedInAt = now;
    }
    return known.person.client;
  }

  /** Everything happens in the order of time; the product has done what was due before each act on another day. */
  async live(): Promise<void> {
    this.#clock.moveTo(Date.parse(this.opensAt), true);
    this.#dataDir = await mkdtemp(path.join(tmpdir(), 'calendar-'));
    const { file, env } = this.#clockSetUp;
    const product = new Product({ port: 0, dataDir: this.#dataDir, clockFile: file, env });
    this.#product = product;
    await product.start();
    this.#door = new Door(product.url);
    await this.#door.open();
    const admin = await firstAdmin(product, this.#door);
    const office = await hireOffice(admin, this.#door, dayOf(Date.parse(this.opensAt)));
    for (const desk of OFFICE) this.#knows(desk, { admin, ...office }[desk]);
    const settling = new Settling(product, this.#clock);
    let day = '';
    for (const { at, what, run } of this.#acts.toSorted((a, b) => a.at - b.at)) {
      if (dayOf(at) !== day) {
        day = dayOf(at);
        this.#clock.moveTo(Date.parse(`${day}T00:01Z`));
        await settling.everything();
      }
      this.#clock.moveTo(at);
      try {
        await run();
      } catch (error) {
        throw new Error(`${new Date(at).toISOString()}: ${what}`, { cause: error });
      }
    }
    await settling.everything();
  }

  async close(): Promise<void> {
    await this.#product?.stop();
    for (const folder of [this.#dataDir, this.#clockSetUp.folder])
      if (folder !== '') await rm(folder, { recursive: true, force: true });
  }

  get door(): Door {
    if (!this.#door) throw new Error('The company has not opened.');
    return this.#door;
  }

  #knows(name: string, person: Person): void {
    const phone = new Phone(new Random(`calendar/${name}`));
    this.#people.set(name, { person, phone, signedInAt: this.#clock.now().getTime() });
  }

  #known(name: string) {
    return this.#of(this.#people, name);
  }

  #of<Value>(known: Map<string, Value>, name: string): Value {
    const value = known.get(name);
    if (value === undefined) throw new Error(`${name} is not known yet.`);
    return value;
  }
}
