import type { FastifyInstance } from 'fastify';
import { isUnavailable, RETRY_AFTER_S } from '../database/unavailable.ts';

/** For errors outside the services, which have their own handlers and formats. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    if (isUnavailable(error)) {
      request.log.warn({ err: error }, 'database unavailable');
      return reply.code(503).header('retry-after', RETRY_AFTER_S).send({
        message: 'The database is not available at the moment. Please try again.',
        request_id: request.id,
      });
    }
    const status = error.statusCode ?? 500;
    if (status >= 500) request.log.error({ err: error }, 'request failed');
    const message =
      status >= 500
        ? `Something went wrong on our side. Quote ${request.id} when you report it.`
        : error.message;
    return reply.code(status).send({ message, request_id: request.id });
  });
}
