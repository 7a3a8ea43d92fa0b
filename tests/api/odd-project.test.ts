// The data service on a project that has nothing in common with ours: what it promises, line by line (PROTOCOL.md 2).
import { beforeAll, describe, it } from 'vitest';
import { otherProject, type TestServer } from '#tests/support/server.ts';
import { calls } from './odd/calls.ts';
import { errors } from './odd/errors.ts';
import { more } from './odd/more.ts';
import { filters, media, names, shapes, values, windows } from './odd/reads.ts';
import { play, type Scenario, SECRET } from './odd/scenario.ts';
import { writes } from './odd/writes.ts';

let server: TestServer;
beforeAll(async () => {
  // Everything is rolled back, so that no scenario sees another's rows.
  server = await otherProject('odd', {
    LOG_LEVEL: 'silent',
    JWT_SECRET: SECRET,
    PGRST_DB_TX_END: 'rollback-allow-override',
  });
});

describe.each<[string, Scenario[]]>([
  ['refusals', errors],
  ['values of every type', values],
  ['odd names', names],
  ['windows', windows],
  ['filters', filters],
  ['shapes', shapes],
  ['media types and methods', media],
  ['writes', writes],
  ['calls', calls],
  ['finer points', more],
])('%s', (_what, scenarios) => {
  it.each(scenarios)('%s: %d', async (...scenario) => {
    await play(server, scenario);
  });
});
