// What all parts of a life share: the product, the people, the clock, the agenda, and what happened so far.
import { Agenda } from './agenda.ts';
import type { Clock } from './clock.ts';
import { dayOf } from './clock.ts';
import type { Company, Guard, Size } from './company.ts';
import type { Client, Door } from './door.ts';
import type { Outcome } from './phone.ts';
import type { Product } from './product.ts';

export interface Kiosk {
  client: Client;
  secret: string;
}

/** Whom a version addressed when it was published, and who has confirmed it, by `<announcement> <version>`. */
export interface Announced {
  told: Set<string>;
  readers: Set<string>;
  isWithdrawn: boolean;
}

export class World {
  readonly agenda = new Agenda();
  /** Lines of the life: time, who, what, and what came of it. */
  readonly events: string[] = [];
  /** Keys of the events that were run, and of those that are left out of this life. */
  readonly ran: string[] = [];
  skipped: ReadonlySet<string> = new Set();
  /** Clock events that were pressed, and what became of each delivery. */
  readonly sent: (Outcome & { who: string })[] = [];
  /** Shared devices, by site. */
  readonly kiosks = new Map<string, Kiosk>();
  /** Of guards who have clocked in on one. */
  readonly pins = new Map<string, string>();
  /** Versions of announcements, by `<announcement> <version>`. */
  readonly announced = new Map<string, Announced>();
  /** Ids of the checks whose guards have made up their minds. */
  readonly welfare = new Set<string>();
  /** Hashes of documents that can't change any more. */
  readonly documents = new Map<string, string>();
  /** The product is off until then: what people and phones do before has its effect afterwards. */
  offUntil = 0;
  /** Days on which a guard can't come, as `<user> <day>`. */
  readonly away = new Set<string>();
  /** Who has left, and may come back. */
  left: Guard | undefined;

  constructor(
    readonly size: Size,
    readonly clock: Clock,
    readonly product: Product,
    readonly door: Door,
    readonly company: Company,
  ) {}

  note(at: number, line: string): void {
    const time = new Date(at).toISOString().slice(11, 16);
    this.events.push(`${dayOf(at)} ${time} ${line}`);
  }

  isAway(user: string, day: string): boolean {
    return this.away.has(`${user} ${day}`);
  }
}
