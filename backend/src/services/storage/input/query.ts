import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

const Query = z.record(
  z.string(),
  z.union([z.string(), z.array(z.string()).transform((all) => all[0])]),
);

/** @returns query parameters; the first value of a repeated one */
export function queryOf(request: FastifyRequest): Record<string, string | undefined> {
  return Query.parse(request.query);
}
