// A collector of traces: OTLP over HTTP, as JSON (OpenTelemetry protocol specification).
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { cleanUp } from './clean-up.ts';

const Value = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
]);
const Attributes = z
  .array(z.object({ key: z.string(), value: Value }))
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value])));
const Span = z.object({
  traceId: z.string().length(32),
  spanId: z.string().length(16),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: Attributes,
  status: z.object({ code: z.number(), message: z.string().optional() }),
});
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: Attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(Span) })),
    }),
  ),
});

export type CollectedSpan = z.output<typeof Span>;

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: CollectedSpan[];
  /** Attributes of the last sender. */
  resource: Record<string, unknown>;
  /** Bodies of all requests, as they arrived. */
  bodies: string[];
  headers: IncomingHttpHeaders;
  /** Of its answers from now on. */
  status: number | 'no answer';
  /** Resolves with the first span of this name, which may still be on its way. */
  span(name: string, which?: (span: CollectedSpan) => boolean): Promise<CollectedSpan>;
  /** Resolves once it got another request. */
  asked(): Promise<void>;
}

export async function collector(status: Collector['status'] = 200): Promise<Collector> {
  let waiting: (() => void)[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    made.bodies.push(text);
    made.headers = request.headers;
    if (made.status === 200) {
      for (const { resource, scopeSpans } of Export.parse(JSON.parse(text)).resourceSpans) {
        made.resource = resource.attributes;
        made.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
      }
    }
    if (made.status !== 'no answer') response.writeHead(made.status).end('{}');
    const all = waiting;
    waiting = [];
    for (const resume of all) resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  const asked = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
    });
  const made: Collector = {
    url: `http://127.0.0.1:${port}`,
    spans: [],
    resource: {},
    bodies: [],
    headers: {},
    status,
    asked,
    span: async (name, which = () => true) => {
      for (;;) {
        const found = made.spans.find((span) => span.name === name && which(span));
        if (found !== undefined) return found;
        await asked();
      }
    },
  };
  return made;
}
