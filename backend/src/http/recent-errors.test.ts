import { Writable } from 'node:stream';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { loggerOptions } from './errors.ts';
import { RecentErrors } from './recent-errors.ts';

const ID = '0b7c3c1e-5f5e-4a57-9d3b-0f7f1f6f2a11';

test('errors are remembered with request id and path, without ids, addresses and values', async () => {
  const recent = new RecentErrors();
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  const options = loggerOptions('warn', recent);
  const app = fastify({
    logger: typeof options === 'object' ? { ...options, stream } : options,
    genReqId: () => 'request-0001',
  });
  app.get('/people/:id', async (request) => {
    const err = Object.assign(
      new Error(
        `invalid input syntax for type uuid: "musu" (${ID}, guard@test.example, +231770123001)`,
      ),
      { code: '22P02' },
    );
    request.log.warn({ err }, 'only a warning');
    request.log.error({ err, req: request }, 'request failed');
    return 'sent';
  });
  await app.inject(`/people/${ID}?token=secret`);
  app.log.error('without a request');
  const [second, first, ...others] = recent.list();
  expect(others).toEqual([]);
  expect(second).toMatchObject({ what: 'without a request', reason: '', request: undefined });
  expect(first).toMatchObject({
    what: 'request failed',
    requestId: 'request-0001',
    request: 'GET /people/*',
  });
  expect(first?.reason).toMatch(/^22P02: invalid input syntax for type uuid: \*/);
  expect(JSON.stringify(recent.list())).not.toMatch(/musu|guard@|770123001|secret|0b7c/);
});

test('only the newest fifty stay', () => {
  const recent = new RecentErrors();
  for (let n = 1; n <= 60; n += 1) recent.add({}, `failure ${n}`, undefined);
  expect(recent.list()).toHaveLength(50);
  expect(recent.list()[0]?.what).toBe('failure 60');
});
