import { describe, expect, it } from 'vitest';
import { readTracing } from './settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' };

describe('the settings of traces', () => {
  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    // Those of other programs don't matter without an endpoint.
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'xray' },
  ])('are off: %j', (env) => {
    expect(readTracing(env)).toBeUndefined();
  });

  it('are a tenth of the requests by default', () => {
    expect(readTracing(ENDPOINT)).toMatchObject({
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: {},
      sampler: 'parentbased_traceidratio',
      ratio: 0.1,
    });
  });

  it('are those of traces before those of all signals', () => {
    const env = {
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector.example/here',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a, x = 1 ,',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x=2',
    };
    expect(readTracing(env)).toMatchObject({
      url: 'https://collector.example/here',
      headers: { authorization: 'Bearer a', x: '2' },
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'only-a-secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'name=secret%'],
    ['OTEL_TRACES_SAMPLER', 'xray'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'many'],
  ])('name %s=%s and do not quote a secret', (name, value) => {
    const read = (): unknown => readTracing({ ...ENDPOINT, [name]: value });
    expect(read).toThrow(name);
    expect(read).not.toThrow(/secret/);
  });
});
