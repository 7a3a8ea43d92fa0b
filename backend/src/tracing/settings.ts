// OpenTelemetry's standard variables ("Environment Variable Specification", "OTLP Exporter Configuration"), as far as traces
// need them.
import { z } from 'zod';
import { optional, parseEnvironment } from '../config.ts';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingSettings {
  /** Where spans are posted. */
  url: string;
  /** May have secrets. */
  headers: Record<string, string>;
  /** For one batch with its retries. */
  timeoutMs: number;
  sampler: (typeof SAMPLERS)[number];
  /** Part of the requests, 0 to 1. */
  ratio: number;
  serviceName: string | undefined;
  resource: Record<string, string>;
  /** Finished spans that wait at most. */
  queueSize: number;
  batchSize: number;
  /** How long a span waits for others. */
  delayMs: number;
}

/** Share of requests without a sampled parent: on a busy server still many, and a tenth of the cost. */
const RATIO = 0.1;

const address = optional.pipe(z.url({ protocol: /^https?$/ }).optional());
const number = (byDefault: number) =>
  optional.transform((text) => (text === undefined ? byDefault : Number(text)));
const count = (byDefault: number, most: number) =>
  number(byDefault).pipe(z.number().int().min(1).max(most));

/** `name=value,name=value`, values percent-encoded (W3C Baggage). */
const pairs = optional.transform((text, context): Record<string, string> => {
  const entries = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  try {
    return Object.fromEntries(
      entries.map((pair) => {
        const [, name = '', value = ''] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(pair) ?? [];
        if (name === '') throw new URIError();
        return [decodeURIComponent(name), decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    // Without the value, which may be a secret.
    context.addIssue({ code: 'custom', message: 'it must be name=value,name=value' });
    return z.NEVER;
  }
});

const Environment = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: pairs,
  OTEL_EXPORTER_OTLP_PROTOCOL: optional.pipe(z.literal('http/json').optional()),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: optional.pipe(z.literal('http/json').optional()),
  OTEL_EXPORTER_OTLP_TIMEOUT: count(10_000, 60_000),
  OTEL_TRACES_SAMPLER: optional.pipe(z.enum(SAMPLERS).default('parentbased_traceidratio')),
  OTEL_TRACES_SAMPLER_ARG: number(RATIO).pipe(z.number().min(0).max(1)),
  OTEL_SERVICE_NAME: optional,
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_BSP_MAX_QUEUE_SIZE: count(2048, 100_000),
  // The standard's 512 spans would block the process longer, because they become JSON in one piece.
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: count(128, 10_000),
  OTEL_BSP_SCHEDULE_DELAY: count(5_000, 60_000),
});

/** @returns undefined without an endpoint; @throws StartError, without values that may be secret */
export function readTracing(env: Record<string, string | undefined>): TracingSettings | undefined {
  const isOff = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  const endpoints = [env.OTEL_EXPORTER_OTLP_ENDPOINT, env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT];
  // Variables of other programs on the machine must not keep a server without traces from starting.
  if (isOff || endpoints.every((value) => (value ?? '').trim() === '')) return undefined;
  const values = parseEnvironment(Environment, env);
  const base = values.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/+$/, '') ?? '';
  return {
    url: values.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? `${base}/v1/traces`,
    headers: {
      ...values.OTEL_EXPORTER_OTLP_HEADERS,
      ...values.OTEL_EXPORTER_OTLP_TRACES_HEADERS,
    },
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    serviceName: values.OTEL_SERVICE_NAME,
    resource: values.OTEL_RESOURCE_ATTRIBUTES,
    queueSize: values.OTEL_BSP_MAX_QUEUE_SIZE,
    batchSize: values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
  };
}
