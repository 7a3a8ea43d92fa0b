import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Keys } from '../../../keys/keys.ts';
import { readToken, TokenError } from '../channel/token.ts';
import type { Version } from './frames.ts';

const Query = z.object({
  apikey: z.string().min(1).optional(),
  vsn: z.enum(['1.0.0', '2.0.0']).catch('1.0.0'),
});

interface ConnectParams {
  apiKey: string | undefined;
  version: Version;
}

export function connectParams(request: FastifyRequest): ConnectParams {
  const query = Query.safeParse(request.query).data;
  const headers = [request.headers['x-api-key'], request.headers.apikey];
  const header = headers.find((value): value is string => typeof value === 'string');
  return { apiKey: query?.apikey ?? header, version: query?.vsn ?? '1.0.0' };
}

/** Rejects an invalid API key before the upgrade. */
export async function authorizeSocket(
  keys: Keys,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { apiKey } = connectParams(request);
  if (apiKey === undefined) {
    await reply.code(401).send({ error: 'API key is missing' });
    return;
  }
  try {
    await readToken(keys, apiKey, new Date());
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    await reply.code(401).send({ error: error.message });
  }
}
