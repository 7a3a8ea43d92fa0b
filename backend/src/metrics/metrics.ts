// GET /metrics for Prometheus: for who knows METRICS_TOKEN; without that setting, for programs on this machine alone.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '../config.ts';
import type { Context } from '../context.ts';
import { connectionMetrics, databaseMetrics } from './database.ts';
import { ProcessWatch } from './process.ts';
import { gauge, type Metric, render } from './text.ts';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

const isForwarded = ({ headers }: FastifyRequest): boolean =>
  ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'].some((name) => name in headers);

/** Behind a proxy on the same machine, everybody comes from this machine. */
function mayRead(
  request: FastifyRequest,
  { metricsToken, trustProxy }: Context['config'],
): boolean {
  if (metricsToken === undefined) {
    const address = request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
    return isLoopback(address) && !trustProxy && !isForwarded(request);
  }
  const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(hash(given), hash(metricsToken));
}

async function collect(context: Context, request: FastifyRequest): Promise<Metric[]> {
  const { database, application } = context;
  try {
    const found = await Promise.all([
      databaseMetrics(database.owner),
      application.metrics?.(context) ?? [],
    ]);
    return [gauge('db_up', 'Whether the database answers.', { value: 1 }), ...found.flat()];
  } catch (error) {
    request.log.warn({ err: error }, 'no metrics of the database');
    return [gauge('db_up', 'Whether the database answers.', { value: 0 })];
  }
}

export function serveMetrics(app: FastifyInstance, context: Context): void {
  const { requests } = context.observed;
  const process = new ProcessWatch();
  app.addHook('onReady', async () => process.start());
  app.addHook('onClose', async () => process.stop());
  app.addHook('onResponse', (request, reply, done) => {
    requests.count(request.url, request.method, reply.statusCode, reply.elapsedTime);
    done();
  });
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    // Who may not read it does not learn that it exists.
    if (!mayRead(request, context.config)) {
      return reply.code(404).send({ message: 'Not found.', request_id: request.id });
    }
    const metrics = [
      ...requests.metrics(),
      ...connectionMetrics(context.database),
      ...process.metrics(),
      ...(context.tracing?.metrics() ?? []),
      ...(await collect(context, request)),
    ];
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(render(metrics));
  });
}
