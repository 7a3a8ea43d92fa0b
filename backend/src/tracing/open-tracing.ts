// OpenTelemetry's packages are loaded only if a collector is configured (docs/decisions/0050-metrics-and-traces.md).
import type { Sampler } from '@opentelemetry/sdk-trace';
import { readTracing, type TracingSettings } from './settings.ts';
import { SpanQueue } from './span-queue.ts';
import { type Api, Tracing } from './tracing.ts';

type Sdk = typeof import('@opentelemetry/sdk-trace');

function samplerOf({ sampler, ratio }: TracingSettings, sdk: Sdk): Sampler {
  const root = sampler.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}

/**
 * @param service its name unless `OTEL_SERVICE_NAME` has one, and its version
 * @returns undefined if no collector is configured
 * @throws StartError
 */
export async function openTracing(
  env: Record<string, string | undefined>,
  service: { name?: string | undefined; version?: string | undefined },
): Promise<Tracing | undefined> {
  const settings = readTracing(env);
  if (settings === undefined) return undefined;
  const { ROOT_CONTEXT, trace } = await import('@opentelemetry/api');
  const { parseTraceParent } = await import('@opentelemetry/core');
  const { resourceFromAttributes } = await import('@opentelemetry/resources');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const sdk = await import('@opentelemetry/sdk-trace');
  const { url, headers, timeoutMs } = settings;
  const queue = new SpanQueue(
    new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs }),
    settings,
  );
  const provider = new sdk.TracerProvider({
    sampler: samplerOf(settings, sdk),
    spanProcessors: [queue],
    resource: resourceFromAttributes({
      'service.name': service.name ?? 'supabase-in-node',
      ...(service.version !== undefined && { 'service.version': service.version }),
      'service.instance.id': crypto.randomUUID(),
      ...settings.resource,
      ...(settings.serviceName !== undefined && { 'service.name': settings.serviceName }),
    }),
  });
  const api: Api = {
    tracer: provider.getTracer('supabase-in-node'),
    parseTraceParent: (header) => {
      const parsed = parseTraceParent(header);
      return parsed && { ...parsed, isRemote: true };
    },
    contextOf: (span) => trace.setSpan(ROOT_CONTEXT, span),
    contextOfRemote: (parent) => trace.setSpanContext(ROOT_CONTEXT, parent),
    root: ROOT_CONTEXT,
  };
  return new Tracing(api, queue);
}
