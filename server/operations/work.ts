// What the product does by itself: what, how often, and how late it may be before somebody must look.

/** Its last and next run are in `private.jobs`. */
export interface Work {
  name: string;
  /** How long after its time it may begin, seconds. A start after days without a server makes up for them within it. */
  lateSeconds: number;
}

/** `name` is a function of the database without arguments. It is idempotent: a run that is repeated changes nothing. */
export interface Job extends Work {
  everySeconds: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Guards' safety depends on these: they have rounds of their own, which no other job delays. */
export const URGENT_JOBS: readonly Job[] = [
  { name: 'private.raise_due_alerts', everySeconds: 2, lateSeconds: MINUTE },
  { name: 'private.escalate_alerts', everySeconds: 5, lateSeconds: MINUTE },
  { name: 'private.due_dispatch', everySeconds: 2, lateSeconds: MINUTE },
  { name: 'private.due_welfare_checks', everySeconds: 2, lateSeconds: MINUTE },
  { name: 'private.due_tours', everySeconds: 30, lateSeconds: 5 * MINUTE },
];

export const OTHER_JOBS: readonly Job[] = [
  { name: 'private.queue_daily_report', everySeconds: MINUTE, lateSeconds: 10 * MINUTE },
  { name: 'private.queue_client_reports', everySeconds: MINUTE, lateSeconds: 10 * MINUTE },
  // Pages of the book, at the hour of each site.
  { name: 'private.release_due_pages', everySeconds: MINUTE, lateSeconds: 10 * MINUTE },
  { name: 'private.tell_of_overdue_keys', everySeconds: MINUTE, lateSeconds: 10 * MINUTE },
  { name: 'private.close_due_offers', everySeconds: 30, lateSeconds: 10 * MINUTE },
  // Timesheets of periods that begin, and hours of facts that change.
  { name: 'private.due_time', everySeconds: 2, lateSeconds: 10 * MINUTE },
  { name: 'private.escalate_incidents', everySeconds: 30, lateSeconds: 10 * MINUTE },
  // A batch of the night's work, as long as there is any.
  { name: 'private.apply_retention', everySeconds: 2, lateSeconds: 10 * MINUTE },
  { name: 'private.continue_erasures', everySeconds: 2, lateSeconds: 10 * MINUTE },
  // Keeps the screens of unbilled hours and of the margin from reading by the hour.
  { name: 'private.check_billed_timesheets', everySeconds: 2, lateSeconds: 10 * MINUTE },
  { name: 'private.sum_for_margin', everySeconds: MINUTE, lateSeconds: 10 * MINUTE },
  // A pay basis begins on its day.
  { name: 'private.apply_pay_bases', everySeconds: HOUR, lateSeconds: HOUR },
  // Certificates, contracts, invoices, pay runs, the roster of next week.
  { name: 'private.tell_of_due_dates', everySeconds: 15 * MINUTE, lateSeconds: HOUR },
  // Mails to clients with overdue invoices.
  { name: 'private.queue_payment_reminders', everySeconds: 15 * MINUTE, lateSeconds: HOUR },
];

/** Shifts that posts ask for in the coming weeks, and public holidays: every night and at each start. */
export const NIGHTLY_ROSTER: Work = { name: 'nightly_roster', lateSeconds: 2 * HOUR };

export const JOBS: readonly Job[] = [...URGENT_JOBS, ...OTHER_JOBS];

/** Backups and queues of messages have times of their own, which `/admin/system` and the metrics show beside these. */
export const WORK: readonly Work[] = [...JOBS, NIGHTLY_ROSTER];

/**
 * @param nextAt when it is due, milliseconds; undefined before its first run, which the start makes due
 * @returns whether somebody must look
 */
export function isLate(
  { lateSeconds }: Work,
  nextAt: number | undefined,
  { now, startedAt }: { now: number; startedAt: number },
): boolean {
  // Right after a start, what was due while no server ran is still being made up for.
  const due = Math.max(nextAt ?? startedAt, startedAt);
  return now - due > lateSeconds * 1000;
}

/** @returns milliseconds since 1970 */
export const startOfProcess = (): number => Date.now() - process.uptime() * 1000;

/** As `isLate`, now. @param next when the job is due, seconds since 1970 */
export const isJobLate = (work: Work, next: number | undefined): boolean =>
  isLate(work, next === undefined ? undefined : next * 1000, {
    now: Date.now(),
    startedAt: startOfProcess(),
  });
