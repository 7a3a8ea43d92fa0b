// POST /messages/in: text messages and missed calls of guards, from Twilio (a form) or from another gateway (JSON). The
// database decides what each does, once for each id of the gateway.

import type { FastifyPluginAsync } from 'fastify';
import type { Context } from 'supabase-in-node/context';
import { hasTable } from 'supabase-in-node/with-client';
import { z } from 'zod';
import { INBOUND_MESSAGES_KIND } from '#shared/database.values.ts';
import type { AppConfig } from '../config.ts';
import { gatewayProblem, isFromTwilio } from './signatures.ts';
import { firstIssue, header, parseJson, signedBy, takeAsSent, text } from './signed-request.ts';

/** Bytes. Twilio's longest message has 1,600 characters. */
const BODY_LIMIT = 16 * 1024;
const PATH = '/messages/in';

const Message = z.object({
  /** Given by the gateway: a message that it delivers again has the same. */
  id: z.string().min(1).max(150),
  kind: z.enum(INBOUND_MESSAGES_KIND).default('text'),
  from: text(40),
  text: text(1_600).default(''),
  /** When the guard sent it. */
  sent_at: z.iso.datetime({ offset: true }).optional(),
});
type Message = z.output<typeof Message>;

interface Taken {
  outcome: string | null;
  reply: string | null;
}

const TAKE = 'select outcome, reply from private.take_message($1, $2, $3, $4, $5)';

/** A call has no MessageSid. */
function twilioMessage(form: URLSearchParams): z.ZodSafeParseResult<Message> {
  const sid = form.get('MessageSid') ?? form.get('SmsSid');
  return Message.safeParse({
    id: sid ?? form.get('CallSid') ?? '',
    kind: sid === null ? 'call' : 'text',
    from: form.get('From') ?? '',
    text: form.get('Body') ?? '',
  });
}

const escapeXml = (value: string): string =>
  value.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** A call is not answered, so that it costs the guard nothing. */
function twiml(kind: Message['kind'], reply: string): string {
  const message = reply === '' ? '' : `<Message>${escapeXml(reply)}</Message>`;
  const verb = kind === 'call' ? '<Reject reason="busy"/>' : message;
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verb}</Response>`;
}

export function messages(context: Context, keys: AppConfig['messages']): FastifyPluginAsync {
  const { owner } = context.database;
  const { twilio } = context.settings.auth.sms;
  // The account that sends our messages, unless another one receives them.
  const token = keys.twilioToken ?? (twilio.enabled ? twilio.auth_token : undefined);

  async function take(provider: string, message: Message): Promise<Taken> {
    const { id, kind, from, text: body, sent_at } = message;
    const values = [`${provider}:${id}`, kind, from, body, sent_at ?? null];
    const { rows } = await owner.query<Taken>(TAKE, values);
    return rows[0] ?? { outcome: null, reply: null };
  }

  return async (app) => {
    // Another project served from PROJECT_DIR takes no messages.
    if (!(await hasTable(owner, 'public.inbound_messages'))) return;
    takeAsSent(app, ['application/x-www-form-urlencoded', 'application/json'], BODY_LIMIT);

    app.post(PATH, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const refuse = (status: number, error: string) => reply.code(status).send({ error });
      const body = typeof request.body === 'string' ? request.body : '';
      const isForm = header(request, 'content-type').startsWith(
        'application/x-www-form-urlencoded',
      );
      const key = isForm ? token : keys.secret;
      if (key === undefined || key === '') return refuse(404, 'No gateway is set up for this.');

      if (isForm) {
        const form = new URLSearchParams(body);
        const { search } = new URL(request.url, 'http://localhost');
        const url = `${context.siteUrl()}${PATH}${search}`;
        if (!isFromTwilio(header(request, 'x-twilio-signature'), url, form, key)) {
          return refuse(403, 'The signature is missing or wrong.');
        }
        const { data: message } = twilioMessage(form);
        if (!message) return refuse(400, 'This is neither a message nor a call.');
        const { outcome, reply: answer } = await take('twilio', message);
        if (outcome === null) return refuse(429, 'Too many messages from this number.');
        return reply.type('text/xml; charset=utf-8').send(twiml(message.kind, answer ?? ''));
      }

      const problem = gatewayProblem(signedBy(request), body, { secret: key, now: context.now() });
      if (problem) return refuse(401, problem);
      const { data: message, error } = Message.safeParse(parseJson(body));
      if (!message) return refuse(400, firstIssue(error));
      const { outcome, reply: answer } = await take('gateway', message);
      if (outcome === null) return refuse(429, 'Too many messages from this number.');
      return reply.send({ outcome, reply: answer });
    });
  };
}
