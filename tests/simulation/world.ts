// What all parts of a life share: the product, the people, the clock, the agenda, and what happened so far.
import { Agenda } from './agenda.ts';
import type { Clock } from './clock.ts';
import { dayOf } from './clock.ts';
import type { Company, Guard, Size } from './company.ts';
import type { Client, Door } from './door.ts';
import type { Outcome } from './phone.ts';
import type { Product } from './product.ts';
import { Times } from './times.ts';

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

/** A line as a phone has sent it first. Nothing that is sent later may change it; it is over once, and struck through once. */
export interface Line {
  source: 'entry' | 'visit' | 'key';
  words: string;
  at: number;
  author: string;
  site: string;
  /** When the visitor left, or the key came back, as it was pressed first. */
  over?: number;
  isStruck: boolean;
}

export interface Panel {
  id: string;
  secret: string;
}

/** What a panel has sent and the product has taken, by `<panel> <key>`. */
export interface Signal {
  outcome: string;
  call: string | null;
}

/** Work and pay of a guard, as one row. */
export interface WorkDone {
  records: number;
  minutes: number;
  payslips: number;
  net: string;
}

export interface Gone {
  guard: Guard;
  on: string;
  /** Of before the erasure; undefined until then. */
  work?: WorkDone;
  erasedOn?: string;
  /** Patterns of what no row may have afterwards. */
  patterns: string[];
}

export class World {
  readonly agenda = new Agenda();
  readonly times = new Times();
  /** Lines of the life: time, who, what, and what came of it. */
  readonly events: string[] = [];
  /** Keys of the events that were run, and of those that are left out of this life. */
  readonly ran: string[] = [];
  skipped: ReadonlySet<string> = new Set();
  /** Clock events that were pressed, and what became of each delivery. */
  readonly sent: (Outcome & { who: string })[] = [];
  /** Shared devices, by site. */
  readonly kiosks = new Map<string, Kiosk>();
  /** Sessions of a contact of each client, by the client's id. */
  readonly contacts = new Map<string, Client>();
  /** Of guards who have clocked in on one. */
  readonly pins = new Map<string, string>();
  /** Versions of announcements, by `<announcement> <version>`. */
  readonly announced = new Map<string, Announced>();
  /** Ids of the checks whose guards have made up their minds. */
  readonly welfare = new Set<string>();
  /** Lines of the book of the posts, by id. */
  readonly book = new Map<string, Line>();
  /** Alarm panels by site, and what they have sent, by `<panel> <key>`. */
  readonly panels = new Map<string, Panel>();
  readonly signals = new Map<string, Signal>();
  /** Hashes of documents that can't change any more. */
  readonly documents = new Map<string, string>();
  /** The product is off until then: what people and phones do before has its effect afterwards. */
  offUntil = 0;
  /** Days on which a guard can't come, as `<user> <day>`. */
  readonly away = new Set<string>();
  /** Who has left, and may come back. */
  left: Guard | undefined;
  /** Who has left for good. */
  readonly gone: Gone[] = [];

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
