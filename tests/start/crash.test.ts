// Crash safety: acknowledged writes survive, and a graceful stop leaves no process behind.

import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { createClient } from '@supabase/supabase-js';
import { describe, expect, it } from 'vitest';
import ws from 'ws';
import { isAlive } from '#backend/processes.ts';
import { bareStart, gone, kill, postmasterOf, started, stopped } from './program.ts';

const PASSWORD = 'correct-horse-7';

async function client(url: string) {
  const config = (await (await fetch(`${url}/app-config.json`)).json()) as {
    supabaseAnonKey: string;
  };
  return createClient(url, config.supabaseAnonKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as never },
  });
}

async function signUp(url: string, email: string): Promise<void> {
  const { error } = await (await client(url)).auth.signUp({ email, password: PASSWORD });
  expect(error).toBeNull();
}

async function expectSignIn(url: string, email: string): Promise<void> {
  const { data, error } = await (await client(url)).auth.signInWithPassword({
    email,
    password: PASSWORD,
  });
  expect(error).toBeNull();
  expect(data.user?.email).toBe(email);
}

describe('start and stop', () => {
  it('creates keys that only the owner can read, and stops gracefully on SIGTERM', async () => {
    const env = await bareStart();
    const { child } = await started(env);
    for (const file of ['keys/jwt.json', 'keys/postgres-password']) {
      const { mode } = await stat(path.join(env.DATA_DIR, file));
      expect(mode & 0o777, file).toBe(0o600);
    }
    const postmaster = await postmasterOf(env.DATA_DIR);
    await stopped(child);
    expect(isAlive(postmaster)).toBe(false);
  });

  it('stops gracefully on Ctrl-C while a client is connected', async () => {
    const env = await bareStart();
    const { child, url } = await started(env);
    const realtime = (await client(url)).realtime;
    realtime.connect();
    await fetch(`${url}/healthz`);
    expect(await kill(child, 'SIGINT')).toBe(0);
    await realtime.disconnect();
  });

  it('stops gracefully while clients keep connecting', async () => {
    const env = await bareStart();
    const { child, url } = await started(env);
    const address = (await client(url)).realtime.endpointURL();
    const sockets: ws[] = [];
    const open = (): void => {
      const socket = new ws(address);
      // Most get ECONNREFUSED.
      socket.on('error', () => {});
      sockets.push(socket);
    };
    open();
    const opening = setInterval(open, 1);
    expect(await kill(child, 'SIGINT')).toBe(0);
    clearInterval(opening);
    for (const socket of sockets) socket.terminate();
  });
});

/** A sign-up whose headers and half of the body have been sent. */
async function halfSent(
  url: string,
  email: string,
): Promise<{ sent: ClientRequest; rest: string }> {
  const body = JSON.stringify({ email, password: PASSWORD });
  const sent = request(`${url}/auth/v1/signup`, {
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      // The interim response follows the headers, so the request is certainly in flight.
      expect: '100-continue',
    },
  });
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(body.slice(0, 10));
  return { sent, rest: body.slice(10) };
}

/** Resolves once the port refuses connections. */
async function notListening(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (!isOpen) return;
  }
}

describe('SIGTERM while requests are in flight', () => {
  it('stops listening, closes idle connections and sockets, and completes started requests', async () => {
    const env = { ...(await bareStart()), DRAIN_SECONDS: '60' };
    const { child, url } = await started(env);
    const { hostname, port } = new URL(url);
    const silent = connect(Number(port), hostname);
    const kept = connect(Number(port), hostname);
    const idle = [silent, kept];
    await Promise.all([once(silent, 'connect'), once(kept, 'connect')]);
    const idleEnded = idle.map((socket) => once(socket, 'close'));
    kept.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    await once(kept, 'data');
    for (const socket of idle) socket.resume();
    const { supabaseAnonKey } = (await (await fetch(`${url}/app-config.json`)).json()) as {
      supabaseAnonKey: string;
    };
    const socket = new ws(
      `${url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${supabaseAnonKey}&vsn=1.0.0`,
    );
    await once(socket, 'open');
    const socketClosed = once(socket, 'close');
    const emails = Array.from({ length: 10 }, (_, i) => `in-flight-${i}@test.example`);
    const requests = await Promise.all(emails.map((email) => halfSent(url, email)));

    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await notListening(url);
    await Promise.all(idleEnded);
    expect((await socketClosed)[0]).toBe(1001);
    const statuses = await Promise.all(
      requests.map(async ({ sent, rest }) => {
        const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
        sent.end(rest);
        const [response] = await answered;
        response.resume();
        return response.statusCode;
      }),
    );
    expect(statuses).toEqual(emails.map(() => 200));
    expect((await exited)[0]).toBe(0);

    const { url: later } = await started(env);
    for (const email of emails) await expectSignIn(later, email);
  });

  it('behind a proxy, open connections get one more answer, which asks to close them', async () => {
    const { child, url } = await started({ ...(await bareStart()), TRUST_PROXY: 'on' });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const ask = async () => {
      socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
      return String((await once(socket, 'data'))[0]);
    };
    expect(await ask()).toMatch(/^connection: keep-alive\r$/im);
    const [exited, closed] = [once(child, 'exit'), once(socket, 'close')];
    child.kill('SIGTERM');
    let answer = await ask();
    while (/^connection: keep-alive\r$/im.test(answer)) answer = await ask();
    expect(answer).toMatch(/^HTTP\/1.1 200/);
    expect(answer).toMatch(/^connection: close\r$/im);
    await closed;
    expect((await exited)[0]).toBe(0);
  });

  it('a second SIGTERM aborts them, and PostgreSQL still stops gracefully', async () => {
    const env = { ...(await bareStart()), DRAIN_SECONDS: '60' };
    const { child, url } = await started(env);
    const postmaster = await postmasterOf(env.DATA_DIR);
    const { sent } = await halfSent(url, 'never-finished@test.example');
    const cutOff = once(sent, 'error');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await notListening(url);
    const signalled = performance.now();
    child.kill('SIGTERM');
    expect((await cutOff)[0]).toMatchObject({ code: 'ECONNRESET' });
    expect((await exited)[0]).toBe(0);
    // Less than the minute that the first signal alone would wait.
    expect(performance.now() - signalled).toBeLessThan(30_000);
    expect(isAlive(postmaster)).toBe(false);
  });
});

describe('after a kill -9', () => {
  it.each(['the server', 'PostgreSQL', 'both'])(
    'of %s, the next start has every acknowledged write',
    async (victim) => {
      const env = await bareStart();
      const first = await started(env);
      await signUp(first.url, 'before@test.example');
      const postmaster = await postmasterOf(env.DATA_DIR);
      await signUp(first.url, 'just-before@test.example');

      if (victim !== 'the server') process.kill(postmaster, 'SIGKILL');
      if (victim !== 'PostgreSQL') await kill(first.child, 'SIGKILL');
      else {
        await gone(postmaster);
        await kill(first.child, 'SIGTERM');
      }

      const second = await started(env);
      await expectSignIn(second.url, 'before@test.example');
      await expectSignIn(second.url, 'just-before@test.example');
      await stopped(second.child);
    },
  );

  it('of PostgreSQL alone, the running server restarts it', async () => {
    const env = await bareStart();
    const { url } = await started(env);
    await signUp(url, 'kept@test.example');
    const postmaster = await postmasterOf(env.DATA_DIR);
    process.kill(postmaster, 'SIGKILL');
    await gone(postmaster);
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    await expectSignIn(url, 'kept@test.example');
  });
});
