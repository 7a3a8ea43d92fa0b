// Waits until the product has done what is due at the time of the clock.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from './clock.ts';
import type { Product } from './product.ts';
import { Times } from './times.ts';

const POLL_MS = 10;
/** Of the machine's time. A job that takes longer has failed. */
const LIMIT_MS = 60_000;
/** Rounds of work that only the previous round has found. */
const MOST_ROUNDS = 60;
/** Of the machine's time: the other queues have workers, who are mostly about to be done. */
const WORKERS_MS = 250;
/** Of the clock: the longest pause between two rounds of a queue. */
const ROUND_MS = 2_100;

/** What is due and not done: jobs, and rows of queues. */
const WAITING = `
  select 'job ' || name as what from private.jobs where next_at <= $1::timestamptz`;

const OF_A_JOB = 'hours to compute';
const QUEUES = `
  select '${OF_A_JOB}' as what where exists (select from private.time_to_compute where try_at <= $1::timestamptz)
  union all select 'notices' where exists (
    select from private.notice_deliveries where state in ('open', 'sending') and next_at <= $1::timestamptz)
  union all select 'report mails' where exists (select from private.daily_report_mails where next_at <= $1::timestamptz)
  union all select 'client reports' where exists (select from private.client_report_mails where next_at <= $1::timestamptz)
  union all select 'letters' where exists (select from private.letter_mails where next_at <= $1::timestamptz)
  union all select 'invoice mails' where exists (select from private.invoice_mail_queue where next_at <= $1::timestamptz)
  union all select 'reminders' where exists (select from private.payment_reminder_queue where next_at <= $1::timestamptz)
  union all select 'page mails' where exists (select from private.page_mails where next_at <= $1::timestamptz)
  union all select 'quote mails' where exists (select from private.quote_mail_queue where next_at <= $1::timestamptz)`;

export class Settling {
  /** Milliseconds of the machine's time. */
  waitedMs = 0;
  rounds = 0;

  constructor(
    private readonly product: Product,
    private readonly clock: Clock,
    private readonly times = new Times(),
  ) {}

  /** Jobs that were due when this was called have run. */
  async jobs(): Promise<void> {
    const at = this.clock.now().toISOString();
    this.product.noticeClock();
    await this.times.of('jobs that are due', () =>
      this.#until(async () => this.#list(WAITING, at)),
    );
  }

  /** Jobs have run, and the queues that they fill are empty. */
  async everything(): Promise<void> {
    for (let round = 0; ; round += 1) {
      await this.jobs();
      const left = await this.times.of('queues', () => this.#waitForWorkers());
      if (left.length === 0) return;
      if (round === MOST_ROUNDS) throw new Error(`The queues do not get empty: ${left.join(', ')}`);
      this.rounds += 1;
      this.clock.moveTo(this.clock.now().getTime() + ROUND_MS);
    }
  }

  /** @returns the queues that only more time empties */
  async #waitForWorkers(): Promise<string[]> {
    const until = performance.now() + WORKERS_MS;
    for (;;) {
      const left = await this.#list(QUEUES, this.clock.now().toISOString());
      if (left.length === 0 || left.includes(OF_A_JOB) || performance.now() > until) return left;
      await pause(POLL_MS);
    }
  }

  async #list(sql: string, at: string): Promise<string[]> {
    return (await this.product.sql<{ what: string }>(sql, [at])).map(({ what }) => what);
  }

  async #until(waiting: () => Promise<string[]>): Promise<void> {
    const began = performance.now();
    for (;;) {
      const left = await waiting();
      const took = performance.now() - began;
      if (left.length === 0) {
        this.waitedMs += took;
        return;
      }
      if (took > LIMIT_MS) throw new Error(`Not done after ${took} ms: ${left.join(', ')}`);
      await pause(POLL_MS);
    }
  }
}
