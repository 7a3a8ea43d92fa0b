// Broadcasting over HTTP: POST /api/broadcast, and one topic and event in the path (Supabase docs, "Broadcast").
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { readBearer } from '../../../http/request.ts';
import { BROADCAST_BYTES, MESSAGES_PER_SECOND } from '../limits.ts';
import type { Broadcast } from '../socket/frames.ts';
import { deliverBroadcast } from './broadcast.ts';
import type { Realtime } from './handle-frame.ts';
import { fetchTopicRights, type Grant, readToken, TokenError } from './rights.ts';

const Path = z.object({ topic: z.string().min(1).max(1024), event: z.string().min(1).max(255) });
const Message = Path.extend({
  payload: z.record(z.string(), z.unknown()),
  private: z.boolean().default(false),
});
const Messages = z.object({ messages: z.array(Message).max(100) });
const Query = z.object({ private: z.enum(['true', 'false']).default('false') });

const ACCEPTED = 202;
const UNPROCESSABLE = 422;
const LIMIT = { bodyLimit: BROADCAST_BYTES };
const TOO_MANY = { message: 'Too many messages per second' };

async function grantOf({ context }: Realtime, request: FastifyRequest): Promise<Grant | undefined> {
  const token = readBearer(request);
  if (token === undefined) return undefined;
  try {
    return await readToken(context.keys, token, context.now());
  } catch (error) {
    if (error instanceof TokenError) return undefined;
    throw error;
  }
}

function problem(error: z.ZodError): { message: string } {
  const [issue] = error.issues;
  return { message: `${issue?.path.join('.') || 'body'}: ${issue?.message}` };
}

export function broadcastRoutes(realtime: Realtime): FastifyPluginAsync {
  const { hub, peers } = realtime;
  return async (app) => {
    const grants = new WeakMap<FastifyRequest, Grant>();
    app.addHook('onRequest', async (request, reply) => {
      const grant = await grantOf(realtime, request);
      if (grant === undefined) return reply.code(401).send({ message: 'Unauthorized' });
      grants.set(request, grant);
    });
    /** As on a socket, a broadcast that the policies don't allow is silently dropped. */
    const send = async (
      request: FastifyRequest,
      topic: string,
      isPrivate: boolean,
      broadcast: Broadcast,
    ): Promise<void> => {
      const grant = grants.get(request);
      if (grant === undefined) return;
      const { write } = await fetchTopicRights(realtime, grant.caller, topic, isPrivate);
      if (!write.has('broadcast')) return;
      deliverBroadcast(hub, topic, isPrivate, broadcast);
      peers.broadcast(topic, isPrivate, broadcast);
    };

    const rate = new RateLimiterMemory({ points: MESSAGES_PER_SECOND, duration: 1 });
    const exceedsRate = async (request: FastifyRequest, messages: number): Promise<boolean> => {
      try {
        await rate.consume(grants.get(request)?.group ?? '', messages);
        return false;
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        return true;
      }
    };

    app.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer' },
      (_request, body, done) => done(null, body),
    );

    app.post('/broadcast', LIMIT, async (request, reply) => {
      const parsed = Messages.safeParse(request.body);
      if (!parsed.success) return reply.code(UNPROCESSABLE).send(problem(parsed.error));
      const { messages } = parsed.data;
      if (await exceedsRate(request, messages.length)) return reply.code(429).send(TOO_MANY);
      for (const { topic, event, payload, private: isPrivate } of messages) {
        const text = Buffer.from(JSON.stringify(payload));
        await send(request, topic, isPrivate, { event, payload: text, isJson: true, meta: '' });
      }
      return reply.code(ACCEPTED).send();
    });

    app.post('/broadcast/:topic/events/:event', LIMIT, async (request, reply) => {
      const path = Path.safeParse(request.params);
      if (!path.success) return reply.code(UNPROCESSABLE).send(problem(path.error));
      const query = Query.safeParse(request.query);
      if (!query.success) return reply.code(UNPROCESSABLE).send(problem(query.error));
      if (await exceedsRate(request, 1)) return reply.code(429).send(TOO_MANY);
      const { topic, event } = path.data;
      const { body } = request;
      const broadcast: Broadcast = Buffer.isBuffer(body)
        ? { event, payload: body, isJson: false, meta: '' }
        : { event, payload: Buffer.from(JSON.stringify(body ?? {})), isJson: true, meta: '' };
      await send(request, topic, query.data.private === 'true', broadcast);
      return reply.code(ACCEPTED).send();
    });
  };
}
