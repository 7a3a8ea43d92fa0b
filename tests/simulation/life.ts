// Day by day: the events of the day in the order of time, then the night, in which everything must be settled and hold.
import type { Entry } from './agenda.ts';
import { planAnnouncements } from './announcements.ts';
import { planBank } from './bank.ts';
import { planBilling } from './billing.ts';
import { planBook } from './book.ts';
import { planChanges } from './changes.ts';
import { addDays, instantOf, MINUTE_MS } from './clock.ts';
import { planContacts } from './contacts.ts';
import { planDepartures } from './departures.ts';
import { planDispatch } from './dispatch.ts';
import { planEnquiries } from './enquiries.ts';
import { planEntries } from './entries.ts';
import { planErasures } from './erasures.ts';
import { planHours } from './hours.ts';
import { planIncidents } from './incidents.ts';
import type { Broken } from './invariant.ts';
import { check } from './invariants.ts';
import { planLeave } from './leave.ts';
import { planOffers } from './offers.ts';
import { planDay, planOffice } from './office.ts';
import { planOutage } from './outages.ts';
import { planPages } from './pages.ts';
import { planPanels } from './panels.ts';
import { planPay } from './pay.ts';
import { planPayItems } from './pay-items.ts';
import { planReturns } from './returns.ts';
import { planWeek } from './roster.ts';
import { Settling } from './settle.ts';
import { planSos } from './sos.ts';
import { planStaff } from './staff.ts';
import { checkOpenSeats } from './staffing.ts';
import { planVat } from './vat.ts';
import { planWelfare } from './welfare.ts';
import type { World } from './world.ts';

/** After the no-shows of the shifts that begin at 06:00 and 18:00. */
const LOOKED_AT = ['06:27', '18:27'];
/** Events that are nearer to each other share a wait for what is due, unless they ask for one. */
const STEP_MS = 20 * MINUTE_MS;

export class Broke extends Error {
  override name = 'Broke';
  /** @param invariants names of those that are broken */
  constructor(
    message: string,
    readonly invariants: string[],
  ) {
    super(message);
  }
}

/** An event of a life, the same in another life of the seed: what follows from others differs by milliseconds. */
const keyOf = ({ at, what }: Entry): string => `${new Date(at).toISOString().slice(0, 16)} ${what}`;

/** Milliseconds of the machine's time by what they were spent on. */
export type Spent = Record<'events' | 'settling' | 'checks', number>;

export class Life {
  readonly spent: Spent = { events: 0, settling: 0, checks: 0 };
  readonly #settling: Settling;

  constructor(readonly world: World) {
    this.#settling = new Settling(world.product, world.clock, world.times);
  }

  /** @throws Broke with the invariants and their rows */
  async live(day: string): Promise<void> {
    const { world } = this;
    world.clock.moveTo(instantOf(day, '00:01'));
    world.agenda.begin(instantOf(day, '00:01'));
    await this.#timed('settling', () => this.#settling.everything());
    await this.#timed('events', async () => planDay(world, day));
    planOffice(world, day);
    planHours(world, day);
    planPay(world, day);
    planBilling(world, day);
    planVat(world, day);
    planReturns(world, day);
    planEntries(world, day);
    planBank(world, day);
    planChanges(world, day);
    planLeave(world, day);
    planOffers(world, day);
    planStaff(world, day);
    planErasures(world, day);
    planIncidents(world, day);
    planDispatch(world, day);
    planPanels(world, day);
    planBook(world, day);
    planContacts(world, day);
    planPages(world, day);
    planAnnouncements(world, day);
    planWelfare(world, day);
    planSos(world, day);
    planEnquiries(world, day);
    planDepartures(world, day);
    planPayItems(world, day);
    planOutage(world, day);
    if (new Date(`${day}T00:00:00Z`).getUTCDay() === 4) {
      const monday = addDays(day, 4);
      world.agenda.add(instantOf(day, '14:00'), `operations plans the week from ${monday}`, () =>
        planWeek(world, monday),
      );
    }
    for (const time of LOOKED_AT)
      world.agenda.add(instantOf(day, time), 'operations compares its screens', () =>
        this.#look(day),
      );
    await this.#events(instantOf(day, '23:50'));
    world.clock.moveTo(instantOf(day, '23:55'));
    await this.#timed('settling', () => this.#settling.everything());
    await this.#timed('checks', () => this.#check(day));
  }

  async #events(until: number): Promise<void> {
    const { agenda, clock, product, skipped } = this.world;
    const next = () => agenda.next(until, this.world.offUntil);
    let settledAt = 0;
    for (let entry = next(); entry; entry = next()) {
      if (skipped.has(keyOf(entry))) continue;
      clock.moveTo(entry.at);
      if (!product.isRunning) settledAt = 0;
      else if (entry.at - settledAt > (entry.needsJobs ? 0 : STEP_MS)) {
        settledAt = entry.at;
        await this.#timed('settling', () => this.#settling.jobs());
      }
      const { run } = entry;
      this.world.ran.push(keyOf(entry));
      // Of all guards and numbers together.
      const sort = entry.what.replaceAll(/[A-Z]\S*|\S*\d\S*/g, '…');
      const outcome = await this.#timed('events', () => this.world.times.of(`event ${sort}`, run));
      this.world.note(entry.at, outcome === undefined ? entry.what : `${entry.what}: ${outcome}`);
    }
  }

  /** When replacements are on their way. */
  async #look(day: string): Promise<undefined> {
    this.#refuse(day, await checkOpenSeats(this.world, this.world.product));
  }

  async #check(day: string): Promise<void> {
    this.#refuse(day, await check(this.world));
  }

  #refuse(day: string, broken: Broken[]): void {
    if (broken.length === 0) return;
    const told = broken.map(
      ({ name, rows }) =>
        `✗ ${name}\n${rows.map((row) => `    ${typeof row === 'string' ? row : JSON.stringify(row)}`).join('\n')}`,
    );
    throw new Broke(
      `${day} is not in order:\n${told.join('\n')}`,
      broken.map(({ name }) => name),
    );
  }

  async #timed<Result>(what: keyof Spent, work: () => Promise<Result>): Promise<Result> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      this.spent[what] += performance.now() - began;
    }
  }
}
