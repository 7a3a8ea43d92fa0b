// A span for each sampled request, from its arrival until its answer has left.
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { isHealth, labelMethod, labelService } from '../metrics/requests.ts';
import { ActiveSpan, type Tracing, type Unsampled } from './tracing.ts';

const spans = new WeakMap<IncomingMessage, ActiveSpan | Unsampled>();

/** A socket lasts as long as its page is open: its joins have spans. Probes every few seconds are no work. */
const isLeftOut = ({ headers, url = '' }: IncomingMessage): boolean =>
  headers.upgrade !== undefined || isHealth(url);

/**
 * The first that Fastify calls for a request, so all its log lines have the trace's id.
 * @param trustsProxy whether the peer's headers are a proxy's; anybody else could have every request sampled
 */
export function tracedLogs(
  tracing: Tracing,
  trustsProxy: boolean,
): NonNullable<FastifyServerOptions['childLoggerFactory']> {
  return (logger, bindings, options, raw) => {
    if (isLeftOut(raw)) return logger.child(bindings, options);
    const { traceparent } = raw.headers;
    const parent = trustsProxy && typeof traceparent === 'string' ? traceparent : undefined;
    const span = tracing.startRequest(labelMethod(raw.method ?? ''), parent);
    spans.set(raw, span);
    const ids = span instanceof ActiveSpan ? { ...bindings, traceId: span.traceId } : bindings;
    return logger.child(ids, options);
  };
}

function end(span: ActiveSpan, request: FastifyRequest, reply: FastifyReply): void {
  const method = labelMethod(request.method);
  const service = labelService(request.url);
  // The pattern in the code, with the names of its parameters: never the path.
  const { url: route } = request.routeOptions;
  span.span.updateName(`${method} ${route ?? service}`).setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': reply.statusCode,
    'request.id': request.id,
    service,
  });
  if (!reply.raw.writableFinished) span.fail('client_disconnected');
  else if (reply.statusCode >= 500) span.fail(String(reply.statusCode));
  span.end();
}

/** Must be called before other hooks are added: what they do belongs to the request too. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const span = spans.get(request.raw);
    if (span === undefined) {
      done();
      return;
    }
    if (span instanceof ActiveSpan) reply.raw.once('close', () => end(span, request, reply));
    tracing.run(span, done);
  });
  // Reading a body continues in the context of its connection.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request.raw);
    if (span === undefined) done();
    else tracing.run(span, done);
  });
}
