// Traces: off without a collector; with one a tree of spans for each request, without values, and without any cost to callers.
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { openBucket } from '#tests/support/buckets.ts';
import { type CollectedSpan, type Collector, collector } from '#tests/support/collector.ts';
import { loggedLines } from '#tests/support/logged.ts';
import { objectStore } from '#tests/support/object-store.ts';
import { CLIENT_SECRET } from '#tests/support/oidc-provider.ts';
import { PASSWORD, testServer } from '#tests/support/server.ts';
import { serverWithProvider } from '#tests/support/server-with-provider.ts';
import { smtpServer } from '#tests/support/smtp.ts';

const PARENT = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
/** Generous, so that a slow machine does not fail a test. */
const PATIENT = { timeout: 60_000 };
const traceparent = `00-${PARENT.traceId}-${PARENT.spanId}-01`;

const to = ({ url }: Pick<Collector, 'url'>) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  OTEL_BSP_SCHEDULE_DELAY: '10',
  OTEL_EXPORTER_OTLP_TIMEOUT: '500',
});

const loadedPackages = (): string[] =>
  Object.keys(createRequire(import.meta.url).cache).filter((file) =>
    file.includes('@opentelemetry'),
  );

const childrenOf = ({ spans }: Collector, parent: CollectedSpan): CollectedSpan[] =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent.spanId);

const lines = (all: readonly string[]): Record<string, unknown>[] =>
  all.map((line) => JSON.parse(line));

// First in this file: the others load the packages.
it('loads nothing without a collector, and has no ids of traces', async () => {
  const logged = loggedLines();
  const { url } = await testServer({ LOG_LEVEL: 'info', OTEL_SERVICE_NAME: 'guards' });
  const { status } = await fetch(`${url}/auth/v1/settings`, { headers: { traceparent } });
  expect(status).toBe(200);
  expect(loadedPackages()).toEqual([]);
  expect(logged.length).toBeGreaterThan(0);
  expect(logged.join()).not.toContain('traceId');
});

describe('a traced request', () => {
  it('is a tree of the request, its wait and its statement', async () => {
    const spans = await collector();
    const server = await testServer({
      ...to(spans),
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-token',
      OTEL_SERVICE_NAME: 'test-service',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    expect(loadedPackages()).not.toEqual([]);
    const { client } = await server.signedUp();
    await client.from('profiles').select('full_name').throwOnError();
    const request = await spans.span('GET /rest/v1/*');
    expect(request.parentSpanId).toBeUndefined();
    expect(request.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/rest/v1/*',
      'http.response.status_code': 200,
      'request.id': expect.stringMatching(/^[\w-]{36}$/),
      service: 'rest',
    });
    const ofRequest = childrenOf(spans, request);
    expect(ofRequest.map(({ name }) => name)).toEqual([
      'wait for a connection',
      'SELECT public.profiles',
    ]);
    expect(ofRequest[1]?.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.query.summary': 'SELECT public.profiles',
    });
    for (const child of ofRequest) {
      expect(child.traceId).toBe(request.traceId);
      expect(child.startTimeUnixNano).toBeGreaterThanOrEqual(request.startTimeUnixNano);
      expect(child.endTimeUnixNano).toBeLessThanOrEqual(request.endTimeUnixNano);
    }
    expect(spans.resource).toMatchObject({
      'service.name': 'test-service',
      'deployment.environment.name': 'test',
    });
    expect(spans.headers.authorization).toBe('Bearer collector-token');

    // Statements of the service's own pool belong to their request too.
    const signUp = await spans.span('POST /auth/v1/signup');
    const ofSignUp = childrenOf(spans, signUp).map(({ name }) => name);
    expect(ofSignUp).toContain('wait for a connection');
    expect(ofSignUp).toContain('INSERT auth.users');
    expect(ofSignUp).toContain('COMMIT');
  });

  it('has no secret, no id and nothing personal in any span', async () => {
    const spans = await collector();
    const server = await testServer(to(spans));
    const { client, email, id } = await server.signedUp('Comfort Kollie');
    const { data } = await client.auth.getSession();
    await client.from('profiles').select().eq('email', email).throwOnError();
    await client.rpc('count_profiles').throwOnError();
    const written = await client.from('profiles').update({ full_name: 'Zoe Weah' }).eq('id', id);
    expect(written.error?.code).toBe('42501');
    await fetch(`${server.url}/nowhere/${id}/${email}?token=secret-token`);
    const { error } = await client.storage.from('documents').download(`${id}/contract-of-zoe.txt`);
    expect(error).not.toBeNull();
    await client.auth.signOut();

    const refused = await spans.span('PATCH /rest/v1/*');
    const [, statement] = childrenOf(spans, refused);
    expect(statement).toMatchObject({
      name: 'UPDATE public.profiles',
      status: { code: 2 },
      attributes: { 'error.type': '42501' },
    });
    await spans.span('CALL public.count_profiles');
    await spans.span('GET static');
    await spans.span('POST /auth/v1/logout');
    const everything = spans.bodies.join('\n');
    const { access_token = '', refresh_token = '' } = data.session ?? {};
    for (const secret of [
      ...[email, id, 'Comfort', 'Kollie', 'Zoe', 'contract-of', 'secret-token', PASSWORD],
      ...[access_token, refresh_token, access_token.split('.')[1] ?? '', 'full_name'],
      ...[server.context.keys.anonKey, '127.0.0.1', 'select ', 'apikey'],
    ]) {
      expect(secret).not.toBe('');
      expect(everything).not.toContain(secret);
    }
  });

  it('continues the trace of a trusted proxy alone', async () => {
    const spans = await collector();
    const open = await testServer(to(spans));
    await fetch(`${open.url}/auth/v1/health`, { headers: { traceparent } });
    const own = await spans.span('GET /auth/v1/health');
    expect(own.parentSpanId).toBeUndefined();
    expect(own.traceId).not.toBe(PARENT.traceId);
    const { url: STORAGE_URL } = await objectStore();
    const server = await testServer({ ...to(spans), TRUST_PROXY: 'on', STORAGE_URL });
    const bucket = await openBucket(server);
    const upload = `${server.url}/storage/v1/object/${bucket}/a.txt`;
    const authorization = `Bearer ${server.context.keys.serviceKey}`;
    const put = { method: 'PUT', body: 'hello' };
    const post = { method: 'POST', body: 'hello' };
    const unsampled = { authorization, traceparent: traceparent.replace(/01$/, '00') };
    expect((await fetch(upload, { ...post, headers: unsampled })).status).toBe(200);
    await fetch(upload, { ...put, headers: { authorization, traceparent } });
    const continued = await spans.span('PUT /storage/v1/object/:bucket/*');
    expect(continued).toMatchObject({ traceId: PARENT.traceId, parentSpanId: PARENT.spanId });
    // The call to S3 of the first is not recorded either.
    expect(spans.spans.filter(({ name }) => name === 'S3 put')).toHaveLength(1);
  });

  it('has its trace in every log line', async () => {
    const spans = await collector();
    const logged = loggedLines();
    const { url } = await testServer({ ...to(spans), LOG_LEVEL: 'info' });
    await fetch(`${url}/auth/v1/health`, { headers: { 'x-request-id': 'from-the-proxy' } });
    const { traceId, attributes } = await spans.span('GET /auth/v1/health');
    expect(attributes['request.id']).toBe('from-the-proxy');
    const own = lines(logged).filter(({ reqId }) => reqId === 'from-the-proxy');
    expect(own.map(({ msg }) => msg)).toEqual(['incoming request', 'request completed']);
    for (const line of own) expect(line.traceId).toBe(traceId);
  });

  it('is left out by the ratio, and for probes', async () => {
    const spans = await collector();
    const logged = loggedLines();
    const ratio = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
    const none = await testServer({ ...to(spans), ...ratio, LOG_LEVEL: 'info' });
    await fetch(`${none.url}/auth/v1/health`);
    await none.stop();
    expect(logged.join()).not.toContain('traceId');
    const all = await testServer(to(spans));
    await fetch(`${all.url}/healthz`);
    await fetch(`${all.url}/auth/v1/health`);
    await spans.span('GET /auth/v1/health');
    expect(spans.spans).toHaveLength(1);
  });

  it('has the calls to S3 and SMTP, also those after the answer', async () => {
    const [spans, store, smtp] = [await collector(), await objectStore(), await smtpServer()];
    const env = { STORAGE_URL: store.url, SMTP_URL: smtp.url };
    const server = await testServer({ ...to(spans), ...env });
    const bucket = await openBucket(server);
    const files = server.client().storage.from(bucket);
    expect((await files.upload('a/letter.txt', 'Dear Zoe')).error).toBeNull();
    const upload = await spans.span('POST /storage/v1/object/:bucket/*');
    const put = await spans.span('S3 put', ({ parentSpanId }) => parentSpanId === upload.spanId);
    expect(put.attributes).toEqual({});
    const { client, email } = await server.signedUp();
    await client.auth.resetPasswordForEmail(email);
    await smtp.mails.next();
    const recover = await spans.span('POST /auth/v1/recover');
    const mail = await spans.span('SMTP send', ({ traceId }) => traceId === recover.traceId);
    expect(mail.parentSpanId).toBe(recover.spanId);
    for (const secret of [email, 'letter.txt', 'Dear Zoe', 'S3RVER', bucket]) {
      expect(spans.bodies.join()).not.toContain(secret);
    }
  });

  it('has the call to an identity provider', async () => {
    const spans = await collector();
    const { person, arrive } = await serverWithProvider('', to(spans));
    const { sub } = person();
    expect((await arrive(sub)).hash).toContain('access_token');
    const callback = await spans.span('GET /auth/v1/callback');
    const call = await spans.span('identity provider');
    expect(call.parentSpanId).toBe(callback.spanId);
    for (const secret of [sub, CLIENT_SECRET, 'Ama Doe', 'code=']) {
      expect(spans.bodies.join()).not.toContain(secret);
    }
  });

  it('of a socket is a join', async () => {
    const spans = await collector();
    const server = await testServer(to(spans));
    const { client } = await server.signedUp();
    client.channel('room-of-zoe').subscribe();
    await spans.span('realtime join');
    expect(spans.bodies.join()).not.toContain('room-of-zoe');
  });
});

describe('a collector', () => {
  const SENT = /trace_spans_sent_total (\d+)/;
  const DROPPED = /trace_spans_dropped_total (\d+)/;
  const metric = async (url: string, name: RegExp): Promise<number> =>
    Number(name.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  const health = async (url: string): Promise<number> =>
    (await fetch(`${url}/auth/v1/health`)).status;

  it('that is down or refuses costs no caller anything, and is logged once', async () => {
    const refusing = await collector(400);
    const logged = loggedLines();
    const { url } = await testServer({
      ...to(refusing),
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=collector-token',
      LOG_LEVEL: 'warn',
    });
    for (const want of [1, 2, 3]) {
      const asked = refusing.asked();
      expect(await health(url)).toBe(200);
      await asked;
      await expect.poll(() => metric(url, DROPPED), PATIENT).toBe(want);
    }
    refusing.status = 200;
    expect(await health(url)).toBe(200);
    await refusing.span('GET /auth/v1/health');
    await expect.poll(() => metric(url, SENT), PATIENT).toBe(1);
    expect(lines(logged).map(({ msg, code, dropped }) => ({ msg, code, dropped }))).toEqual([
      { msg: 'traces are lost: the collector does not answer, or refuses', code: 400 },
      { msg: 'traces reach the collector again', dropped: 3 },
    ]);
    expect(logged.join()).not.toContain('collector-token');
  });

  it('that nobody listens for, or that never answers, neither', async () => {
    const closed = { url: 'http://127.0.0.1:1' };
    const silent = await collector('no answer');
    for (const one of [closed, silent]) {
      const server = await testServer({ ...to(one), LOG_LEVEL: 'fatal', DRAIN_SECONDS: '1' });
      const answers = await Promise.all(Array.from({ length: 20 }, () => health(server.url)));
      expect(new Set(answers)).toEqual(new Set([200]));
      await expect.poll(() => metric(server.url, DROPPED), PATIENT).toBeGreaterThan(0);
      await server.stop();
    }
  });

  it('gets no more than the queue holds; the rest is counted', async () => {
    const silent = await collector('no answer');
    const limits = { OTEL_BSP_MAX_QUEUE_SIZE: '2', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' };
    const hanging = { ...to(silent), ...limits, OTEL_EXPORTER_OTLP_TIMEOUT: '60000' };
    const { url, stop } = await testServer({ ...hanging, DRAIN_SECONDS: '0' });
    // One is on its way for good, two wait, two are dropped.
    for (let n = 0; n < 5; n += 1) expect(await health(url)).toBe(200);
    await expect.poll(() => metric(url, DROPPED), PATIENT).toBe(2);
    await stop();
  });

  it('gets what waits when the server stops', async () => {
    const spans = await collector();
    const { url, stop } = await testServer({ ...to(spans), OTEL_BSP_SCHEDULE_DELAY: '60000' });
    expect(await health(url)).toBe(200);
    expect(spans.spans).toEqual([]);
    await stop();
    expect(spans.spans.map(({ name }) => name)).toEqual(['GET /auth/v1/health']);
  });
});
