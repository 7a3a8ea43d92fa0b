// What the staff portal says about entries that are only on this phone.
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import type { StorageRisk } from '#web/lib/outbox/persistence.ts';

const DAY_MS = 24 * 3_600_000;
/** Days without a visit after which WebKit deletes what a site has stored. */
const ABSENCE_DAYS = 7;

type Waiting = readonly Pick<OutboxEntry, 'kind' | 'madeAt'>[];

/** One and several of each kind of the outbox that has a name of its own. */
const NOUNS: Partial<Record<string, readonly [string, string]>> = {
  clock: ['clock time', 'clock times'],
  incident: ['report', 'reports'],
};

/** @returns for example "2 clock times and 1 report are only on this phone" */
export function unsentTitle(waiting: Waiting): string {
  const named = Object.entries(NOUNS).flatMap(([kind, nouns = ['', '']]) => {
    const count = waiting.filter((entry) => entry.kind === kind).length;
    return count === 0 ? [] : [`${count} ${nouns[count === 1 ? 0 : 1]}`];
  });
  const others = waiting.filter(({ kind }) => NOUNS[kind] === undefined).length;
  const other = others === 0 ? [] : [`${others} ${others === 1 ? 'entry' : 'entries'}`];
  const parts = [...named, ...other];
  const last = parts.pop() ?? '';
  const list = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  return `${list} ${waiting.length === 1 ? 'is' : 'are'} only on this phone`;
}

/** @param now milliseconds since 1970, by the device's clock like `madeAt` @returns whole days that the oldest entry waits */
export function daysWaiting(waiting: Waiting, now: number): number {
  const oldest = Math.min(now, ...waiting.map(({ madeAt }) => madeAt));
  return Math.floor((now - oldest) / DAY_MS);
}

/** @returns for example "for 2 days", empty within the first day */
export function waitingSince(waiting: Waiting, now: number): string {
  const days = daysWaiting(waiting, now);
  if (days === 0) return '';
  return days === 1 ? 'for a day' : `for ${days} days`;
}

/** What to do now. */
export function unsentAdvice(waiting: Waiting, now: number): string {
  const since = waitingSince(waiting, now);
  return since
    ? `The oldest has waited ${since}. Go where there is a signal or Wi-Fi and keep the app open until this list is empty. If you can’t, tell the control room your hours.`
    : 'They are sent automatically while the app is open and there is a signal.';
}

/** @param formatDay gives the day of an instant, ISO 8601 @returns how they could be lost */
export function lossWarning(
  risk: StorageRisk,
  now: number,
  formatDay: (instant: string) => string,
): string {
  const lastDay = formatDay(new Date(now + (ABSENCE_DAYS - 1) * DAY_MS).toISOString());
  const warnings: Record<StorageRisk, string> = {
    closing: 'This browser stores nothing: don’t close or reload this page until they are sent.',
    absence: `Connect by ${lastDay}: this browser deletes what it stores for an app that is not opened for ${ABSENCE_DAYS} days. Add the app to the Home Screen only once they are sent, because there it starts empty.`,
    space:
      'Until then, don’t clear the browser’s data, and keep some space free on the phone: a full phone may delete them.',
    none: 'Until then, don’t remove the app or clear the browser’s data.',
  };
  return warnings[risk];
}
