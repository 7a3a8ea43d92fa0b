// POST /alarms/in/<panel>: what an alarm panel sends, signed with its secret. The database makes a call of it, once for
// each id of the panel.
import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { hasTable } from 'supabase-in-node/with-client';
import { z } from 'zod';
import { SERVICE_CALLS_KIND, SERVICE_CALLS_PRIORITY } from '#shared/database.values.ts';
import { type PanelSignal, readContactId } from './contact-id.ts';
import { gatewayProblem } from './signatures.ts';
import { firstIssue, parseJson, signedBy, takeAsSent, text } from './signed-request.ts';

/** Bytes. */
const BODY_LIMIT = 8 * 1024;
/** Requests of one panel that are handled at once: the others keep their connections to the database. */
const AT_ONCE = 4;

const Event = z
  .object({
    /** Given by the panel: an event that it sends again has the same. */
    id: z.string().min(1).max(150),
    contact_id: z.string().max(60).optional(),
    kind: z.enum(SERVICE_CALLS_KIND).optional(),
    priority: z.enum(SERVICE_CALLS_PRIORITY).optional(),
    /** The zone, and what happened there. */
    text: text(480).optional(),
    restore: z.boolean().default(false),
  })
  .refine(({ contact_id, kind }) => contact_id !== undefined || kind !== undefined, {
    message: 'Send the kind of the alarm, or contact_id.',
    path: ['kind'],
  });

interface Sent extends PanelSignal {
  key: string;
  account?: string;
}

type Read = { sent: Sent } | { error: string };

const NO_FORM = 'This is no Contact ID message, like "1234 18 1130 01 015".';

/** @param key what the panel repeats when it sends the same event again */
function fromContactId(message: string, key: string): Read {
  const signal = readContactId(message);
  return signal ? { sent: { ...signal, key } } : { error: NO_FORM };
}

function fromJson(body: string): Read {
  const { data: event, error } = Event.safeParse(parseJson(body));
  if (!event) return { error: firstIssue(error) };
  const { id, contact_id, kind = 'alarm', restore } = event;
  if (contact_id !== undefined) return fromContactId(contact_id, id);
  const isDanger = kind === 'fire' || kind === 'medical';
  const what = event.text?.trim() || `Alarm of kind ${kind}`;
  return {
    sent: {
      key: id,
      kind,
      signal: restore ? 'restore' : 'alarm',
      priority: event.priority ?? (isDanger ? 'danger' : 'urgent'),
      body: restore ? `Restored: ${what}` : what,
    },
  };
}

const FIND = `select s.secret, a.account from private.panel_secrets s
  join public.alarm_panels a on a.id = s.panel_id where s.panel_id = $1`;
const TAKE = 'select outcome, call_id from private.take_panel_event($1, $2, $3, $4, $5, $6)';

export function panels(context: Context): FastifyPluginAsync {
  const { owner } = context.database;
  const running = new Map<string, number>();

  async function take(panel: string, { key, signal, kind, priority, body }: Sent) {
    const { rows } = await owner.query<{ outcome: string; call_id: string | null }>(TAKE, [
      panel,
      key,
      signal,
      kind ?? null,
      priority,
      body,
    ]);
    return rows[0];
  }

  return async (app) => {
    // Another project served from PROJECT_DIR has no panels.
    if (!(await hasTable(owner, 'public.alarm_panels'))) return;
    takeAsSent(app, ['application/json', 'text/plain'], BODY_LIMIT);

    app.post<{ Params: { panel: string } }>('/alarms/in/:panel', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const refuse = (status: number, error: string) => {
        if (status === 429) reply.header('retry-after', '60');
        return reply.code(status).send({ error });
      };
      const panel = z.uuid().safeParse(request.params.panel).data?.toLowerCase();
      if (panel === undefined) return refuse(404, 'There is no such panel.');
      const { rows } = await owner.query<{ secret: string; account: string | null }>(FIND, [panel]);
      const [known] = rows;
      if (!known) return refuse(404, 'There is no such panel.');
      const body = typeof request.body === 'string' ? request.body : '';
      const signed = signedBy(request);
      const { secret, account } = known;
      const problem = gatewayProblem(signed, body, { secret, now: context.now() });
      if (problem) return refuse(401, problem);
      const isJson = String(request.headers['content-type']).startsWith('application/json');
      // A plain message has no id: a repeat has the same time.
      const read = isJson ? fromJson(body) : fromContactId(body, `${signed.timestamp} ${body}`);
      if ('error' in read) return refuse(400, read.error);
      if (account !== null && read.sent.account !== undefined && read.sent.account !== account) {
        return refuse(400, `This panel sends for account ${account}.`);
      }
      // After the signature: who knows the address alone must not use up the panel's share.
      const before = running.get(panel) ?? 0;
      if (before >= AT_ONCE) return refuse(429, 'Too many events of this panel.');
      running.set(panel, before + 1);
      try {
        const taken = await take(panel, read.sent);
        if (!taken || taken.outcome === 'no_panel') return refuse(404, 'There is no such panel.');
        if (taken.outcome === 'too_many') return refuse(429, 'Too many events of this panel.');
        return await reply.send({ outcome: taken.outcome, call: taken.call_id });
      } finally {
        const left = (running.get(panel) ?? 1) - 1;
        if (left > 0) running.set(panel, left);
        else running.delete(panel);
      }
    });
  };
}
