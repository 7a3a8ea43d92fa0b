// /upload/resumable and /upload/resumable/sign: authenticates the sender and passes the request to the TUS server.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Service } from '../service.ts';
import { declaredLength } from '../upload/receive.ts';
import { openResumable } from './protocol.ts';
import { type Sender, senders, senderWithSignature, senderWithToken } from './sender.ts';

const METHODS = ['POST', 'HEAD', 'PATCH', 'DELETE'] as const;
const HOUR_MS = 3600 * 1000;

export async function resumableRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { server, expire } = await openResumable(service);
  const removeExpired = (): Promise<void> =>
    expire().catch((error: unknown) => app.log.error({ err: error }, 'expired uploads'));
  await removeExpired();
  const timer = setInterval(removeExpired, HOUR_MS);
  app.addHook('onClose', async () => clearInterval(timer));

  const handle = async (
    request: FastifyRequest,
    reply: FastifyReply,
    sender: Sender | undefined,
  ): Promise<FastifyReply> => {
    if (request.method === 'POST' || request.method === 'PATCH') {
      const release = await service.space.claim(declaredLength(request) ?? 0);
      reply.raw.once('close', release);
    }
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    const respond = (): Promise<void> => server.handle(request.raw, reply.raw);
    await (sender === undefined ? respond() : senders.run(sender, respond));
    return reply;
  };

  const kinds = [
    ['/upload/resumable/sign', senderWithSignature],
    ['/upload/resumable', senderWithToken],
  ] as const;
  for (const [url, senderOf] of kinds) {
    for (const path of [url, `${url}/:id`]) {
      app.options(path, (request, reply) => handle(request, reply, undefined));
      for (const method of METHODS) {
        app.route({
          method,
          url: path,
          exposeHeadRoute: false,
          handler: async (request, reply) =>
            handle(request, reply, await senderOf(service, request)),
        });
      }
    }
  }
}
