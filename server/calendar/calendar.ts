// GET /calendar/<secret>.ics: a person's own shifts for calendar apps (RFC 5545). Anyone with the address can read it.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { hasTable } from 'supabase-in-node/with-client';
import { company } from '#company';
import { type CalendarEvent, writeCalendar } from './icalendar.ts';

interface Entry {
  id: string;
  status: string;
  role: string | null;
  site: string;
  client: string;
  address: string;
  start_time: Date;
  end_time: Date;
  updated_at: Date;
  created_at: Date;
}

/** From 4 weeks back to 12 weeks ahead; cancelled ones too, because calendars keep what they have once seen. */
const ENTRIES = `
  select a.id, a.status, a.role_at_shift as role, t.name as site, t.client_name as client, t.address,
    s.start_time, s.end_time, greatest(a.updated_at, s.updated_at, t.updated_at) as updated_at, a.created_at
  from public.assignments a
  join public.shifts s on s.id = a.shift_id
  join public.sites t on t.id = s.site_id
  where a.user_id = $1 and a.starts_at > now() - interval '4 weeks' and a.starts_at < now() + interval '12 weeks'
  order by a.starts_at, a.id
  limit 500`;

/** Tenths of a second: seconds would miss a second change, milliseconds exceed an integer. */
const SEQUENCE_STEP = 100;

function eventOf(entry: Entry, siteUrl: string): CalendarEvent {
  const isCancelled = entry.status === 'cancelled';
  const age = entry.updated_at.getTime() - entry.created_at.getTime();
  return {
    uid: `${entry.id}@${new URL(siteUrl).hostname}`,
    summary: `${isCancelled ? 'Cancelled: ' : ''}${entry.site}`,
    description: [entry.client, entry.role].filter(Boolean).join(', '),
    location: entry.address,
    url: `${siteUrl}/staff/shifts`,
    start: entry.start_time,
    end: entry.end_time,
    status: isCancelled ? 'CANCELLED' : entry.status === 'assigned' ? 'TENTATIVE' : 'CONFIRMED',
    createdAt: entry.created_at,
    changedAt: entry.updated_at,
    // A cancellation in the transaction of the assignment is a change too.
    sequence: Math.max(0, Math.ceil(age / SEQUENCE_STEP)) + (isCancelled ? 1 : 0),
  };
}

const SECRET = /^([0-9a-f]{64})\.ics$/;

export function calendar({ database, siteUrl }: Context): FastifyPluginAsync {
  return async (app) => {
    // Another project served from PROJECT_DIR has no calendars.
    if (!(await hasTable(database.owner, 'private.calendar_feeds'))) return;
    app.get<{ Params: { file: string } }>('/calendar/:file', async (request, reply) => {
      reply.header('cache-control', 'private, no-store').header('x-robots-tag', 'noindex');
      const secret = SECRET.exec(request.params.file)?.[1];
      // A look at the link is not a read, which is counted and shown to its owner.
      if (request.method === 'HEAD') {
        const known = await database.owner.query(
          'select from private.calendar_feeds where secret_hash = sha256($1::text::bytea)',
          [secret ?? ''],
        );
        return reply
          .code(known.rowCount === 0 ? 404 : 200)
          .type('text/calendar; charset=utf-8')
          .send();
      }
      const { rows } =
        secret === undefined
          ? { rows: [] }
          : await database.owner.query<{ user_id: string; is_too_often: boolean }>(
              'select * from private.read_calendar($1)',
              [secret],
            );
      const [feed] = rows;
      if (!feed) {
        return reply.code(404).type('text/plain').send('This calendar address is not valid.\n');
      }
      if (feed.is_too_often) {
        return reply
          .code(429)
          .header('retry-after', '3600')
          .type('text/plain')
          .send('Read too often. Try again in an hour.\n');
      }
      const { rows: entries } = await database.owner.query<Entry>(ENTRIES, [feed.user_id]);
      return reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'inline; filename="shifts.ics"')
        .send(
          writeCalendar(
            { name: `${company.shortName} shifts`, owner: company.shortName },
            entries.map((entry) => eventOf(entry, siteUrl())),
          ),
        );
    });
  };
}
