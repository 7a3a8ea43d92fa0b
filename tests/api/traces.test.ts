// Traces of the company's own work: its repeated jobs and its routes.
import { type CollectedSpan, collector } from 'supabase-in-node/testing/collector';
import { expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const spans = await collector();
const server = await testServer({
  LOG_LEVEL: 'fatal',
  OTEL_EXPORTER_OTLP_ENDPOINT: spans.url,
  OTEL_TRACES_SAMPLER: 'always_on',
  OTEL_BSP_SCHEDULE_DELAY: '10',
});
const JOB = 'private.raise_due_alerts';
const hasFailed = ({ status }: CollectedSpan): boolean => status.code === 2;

it('have each run of a job, and the code of one that fails', async () => {
  const good = await spans.span(JOB, (span) => !hasFailed(span));
  expect(good.parentSpanId).toBeUndefined();
  expect(good.attributes).toEqual({});
  expect(spans.resource).toMatchObject({ 'service.name': 'statesman' });
  await server.database.owner.query(`
    alter function private.raise_due_alerts() rename to raise_due_alerts_before;
    create function private.raise_due_alerts() returns void language plpgsql as
    'begin raise exception ''Comfort Kollie is late''; end'`);
  const failed = await spans.span(JOB, hasFailed);
  expect(failed.attributes).toEqual({ 'error.type': 'P0001' });
  expect(spans.bodies.join()).not.toContain('Kollie');
});

it('name the routes of pages and functions, never a secret in a path', async () => {
  await fetch(`${server.url}/calendar/a-secret-of-a-guard.ics`);
  await fetch(`${server.url}/functions/v1/system-report`, { method: 'POST' });
  const { attributes } = await spans.span('POST /functions/v1/system-report');
  expect(attributes).toMatchObject({ service: 'functions', 'http.response.status_code': 403 });
  expect(spans.bodies.join()).not.toContain('a-secret-of-a-guard');
});
