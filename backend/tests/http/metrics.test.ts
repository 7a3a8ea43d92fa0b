// GET /metrics: who may read it, and what it says about requests, connections and the database.
import { describe, expect, it } from 'vitest';
import { testServer } from '#tests/support/server.ts';

const TOKEN = 'a-token-of-the-monitoring';

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('metrics', () => {
  it('are read with the token alone, once it is set', async () => {
    const { url } = await testServer({ METRICS_TOKEN: TOKEN });
    const statuses = await Promise.all(
      [{}, bearer('another-token'), bearer(`${TOKEN}x`), bearer(TOKEN)].map(
        async (options) => (await fetch(`${url}/metrics`, options)).status,
      ),
    );
    expect(statuses).toEqual([404, 404, 404, 200]);
  });

  it('are read on this machine alone without a token, and not through a proxy', async () => {
    const { url } = await testServer();
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } };
    expect((await fetch(`${url}/metrics`, forwarded)).status).toBe(404);
    const behindProxy = await testServer({ TRUST_PROXY: 'on' });
    expect((await fetch(`${behindProxy.url}/metrics`)).status).toBe(404);
  });

  it('count requests by service, and know connections, database and process', async () => {
    const { url, signedUp } = await testServer();
    const { client, email } = await signedUp();
    await client.from('nothing').select();
    await fetch(`${url}/somewhere/${email}`);
    const read = async () => (await fetch(`${url}/metrics`)).text();
    // A request is counted once its answer has been sent, and that may be after it has arrived.
    await expect
      .poll(read)
      .toMatch(/http_requests_total\{service="static",method="GET",status="4xx"\} 1/);
    const text = await read();
    expect(text).toMatch(/http_requests_total\{service="auth",method="POST",status="2xx"\} [1-9]/);
    expect(text).toMatch(/http_requests_total\{service="rest",method="GET",status="4xx"\} 1/);
    expect(text).toMatch(/http_request_duration_seconds_bucket\{service="auth",le="\+Inf"\} [1-9]/);
    expect(text).toMatch(/db_pool_size\{pool="callers"\} 8/);
    expect(text).toMatch(/db_pool_waiting\{pool="callers"\} 0/);
    expect(text).toMatch(/db_up 1/);
    expect(text).toMatch(/db_size_bytes [1-9]\d{5}/);
    expect(text).toMatch(/db_replicas 0/);
    expect(text).toMatch(/process_resident_memory_bytes [1-9]\d{6}/);
    expect(text).toMatch(/process_event_loop_delay_max_seconds \d/);
    expect(text).not.toContain(email);
    // Each line is a comment, or a name with labels and a number.
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? -?[\d.e+-]+)$/);
  });

  it('are answered without those of the database while it does not answer', async () => {
    const { url, context } = await testServer();
    await context.database.owner.end();
    const text = await (await fetch(`${url}/metrics`)).text();
    expect(text).toMatch(/db_up 0/);
    expect(text).toMatch(/process_cpu_seconds_total/);
    // The server ends the pool as well when it stops.
    context.database.owner.end = async () => {};
  });
});
