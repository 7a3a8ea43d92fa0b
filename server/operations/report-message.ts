// The mail of the daily report; all its text is in this file.
import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns';
import type { Message } from 'supabase-in-node/mail-layout';
import { z } from 'zod';

export const reportFacts = z.object({
  from: z.string(),
  to: z.string(),
  shifts: z.number(),
  seats: z.number(),
  assigned: z.number(),
  attended: z.number(),
  late: z.number(),
  incidents: z.array(
    z.object({ title: z.string(), severity: z.string(), site: z.string(), at: z.string() }),
  ),
  alerts: z.array(
    z.object({
      title: z.string(),
      detail: z.string().nullable(),
      site: z.string(),
      at: z.string(),
      outcome: z.string().nullable(),
      /** Minutes. */
      acknowledged_after: z.number().nullable(),
      closed_after: z.number().nullable(),
    }),
  ),
});
type Facts = z.infer<typeof reportFacts>;

/** For incidents and for alerts; the screens have the rest. */
const MOST_LINES = 30;

const percentOf = (part: number, whole: number) =>
  whole === 0 ? 'no seats' : `${Math.round((100 * part) / whole)} %`;

const minutes = (count: number | null) => (count === null ? 'never' : `after ${count} min`);

function linesOf<Row>(rows: readonly Row[], lineOf: (row: Row) => string): string[] {
  const more = rows.length - MOST_LINES;
  return [...rows.slice(0, MOST_LINES).map(lineOf), ...(more > 0 ? [`And ${more} more.`] : [])];
}

export function reportMessage(facts: Facts, siteUrl: string, zone: string): Message {
  const { shifts, seats, assigned, attended, late, incidents, alerts } = facts;
  const timeOf = (at: string) => format(new TZDate(at, zone), 'h:mm a');
  const day = format(new TZDate(facts.to, zone), 'EEEE, MMM d, yyyy');
  return {
    subject: `Daily report, ${day}`,
    heading: `The last 24 hours, to ${timeOf(facts.to)} on ${day}`,
    paragraphs: [
      `Coverage: ${shifts} shifts with ${seats} seats began. Planned: ${assigned} guards (${percentOf(assigned, seats)}). Came: ${attended} (${percentOf(attended, seats)}), ${late} of them late.`,
      `Incidents: ${incidents.length}.`,
      ...linesOf(
        incidents,
        ({ at, severity, site, title }) => `${timeOf(at)}, ${severity}, ${site}: ${title}`,
      ),
      `Alerts: ${alerts.length}, ${alerts.filter(({ outcome }) => outcome === null).length} of them still open.`,
      ...linesOf(alerts, (alert) =>
        [
          `${timeOf(alert.at)}, ${alert.title}, ${alert.site}${alert.detail === null ? '' : ` (${alert.detail})`}:`,
          `acknowledged ${minutes(alert.acknowledged_after)},`,
          alert.outcome === null
            ? 'still open.'
            : `${alert.outcome} ${minutes(alert.closed_after)}.`,
        ].join(' '),
      ),
    ],
    button: { label: 'Open the board', link: new URL('/admin/operations', siteUrl).href },
    closing: 'You can turn off this report under Me, Notices.',
  };
}
