// The data service on a project with unusual names, types and functions.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { otherProject, type TestServer } from '#tests/support/server.ts';
import { callResolution } from './shop/call-resolution.ts';
import { calls } from './shop/calls.ts';
import { customTypes } from './shop/custom-types.ts';
import { databaseErrors } from './shop/database-errors.ts';
import { embeddedFilters } from './shop/embedded-filters.ts';
import { embedding } from './shop/embedding.ts';
import { filters } from './shop/filters.ts';
import { inserts } from './shop/inserts.ts';
import { mediaTypes } from './shop/media-types.ts';
import { parseErrors } from './shop/parse-errors.ts';
import { preferences } from './shop/preferences.ts';
import { names, values, windows } from './shop/reads.ts';
import { requestErrors } from './shop/request-errors.ts';
import { play, type Scenario, SECRET } from './shop/scenario.ts';
import { unknownNames } from './shop/unknown-names.ts';
import { updates } from './shop/updates.ts';

/** Codes that PostgREST answers with 5xx although the request caused them (PostgREST docs "Errors"). */
const KNOWN = /"code":"(55|21)\w{3}"/;

let server: TestServer;
beforeAll(async () => {
  // Everything is rolled back, so scenarios are independent.
  server = await otherProject('shop', {
    LOG_LEVEL: 'silent',
    JWT_SECRET: SECRET,
    PGRST_DB_TX_END: 'rollback-allow-override',
  });
});

const SCENARIOS: [what: string, Scenario[]][] = [
  ['parse errors', parseErrors],
  ['rejected requests', requestErrors],
  ['unknown names', unknownNames],
  ['database errors', databaseErrors],
  ['all types', values],
  ['unusual names', names],
  ['row ranges', windows],
  ['filters', filters],
  ['embedding', embedding],
  ['filters on embedded resources', embeddedFilters],
  ['media types and methods', mediaTypes],
  ['inserts', inserts],
  ['updates and deletes', updates],
  ['preferences', preferences],
  ['calls', calls],
  ['call resolution', callResolution],
  ['custom types', customTypes],
];

describe.each(SCENARIOS)('%s', (_what, scenarios) => {
  it.each(scenarios)('%s: %d', async (...scenario) => {
    await play(server, scenario);
  });
});

describe('supabase-js', () => {
  it('uses the settings of the project', async () => {
    const client = server.client();
    const email = 'shopper@test.example';
    const short = await client.auth.signUp({ email, password: 'nine-char' });
    expect(short.error).toMatchObject({ code: 'weak_password', status: 422 });
    // The list of common passwords is only enabled for projects that ask for it.
    const { data, error } = await client.auth.signUp({ email, password: '1234567890' });
    expect((await client.auth.signInWithPassword({ email, password: '1234567890' })).data).toEqual(
      expect.not.objectContaining({ weakPassword: expect.anything() }),
    );
    expect([error, data.session?.expires_in]).toEqual([null, 600]);
    expect(
      (await client.schema('shop').from('groups').select('id').eq('id', 1).single()).data,
    ).toEqual({ id: 1 });
    const quoted = await client
      .schema('Quoted Names')
      .from('Big Things')
      .select('"The Name", parts:"Sub Things"(order)')
      .eq('Id number', 1)
      .order('order', { referencedTable: 'parts' });
    expect(quoted.data).toEqual([{ 'The Name': 'whale', parts: [{ order: 1 }, { order: 2 }] }]);
    const called = await client.schema('Quoted Names').rpc('Do It', { 'Arg One': 1 });
    expect(called.data).toBe('1/two');
    // The client uses schema `public` by default, which this project does not expose.
    expect((await client.from('groups').select()).error?.code).toBe('PGRST106');
  });
});

describe('fuzzed scenarios', () => {
  const asked = SCENARIOS.filter(([what]) => what !== 'database errors')
    .flatMap(([, scenarios]) => scenarios)
    .filter(([, status]) => status < 500);

  it('never cause a 5xx', async () => {
    const piece = fc.constantFrom(
      '(',
      ')',
      ',',
      '.',
      '"',
      '%22',
      '::',
      '->',
      '!',
      '*',
      '=',
      '&',
      'not.',
      '%00',
      '{',
      '}',
      '-1',
      ' ',
    );
    const garbled = fc
      .tuple(fc.constantFrom(...asked), fc.nat(200), fc.nat(6), piece)
      .map(([[ask, , , options = {}], at, cut, put]) => {
        const [method = 'GET', path = '/'] = ask.split(/ (.*)/s);
        const from = 1 + (at % path.length);
        return { method, path: `${path.slice(0, from)}${put}${path.slice(from + cut)}`, options };
      });
    const { serviceKey } = server.context.keys;
    await fc.assert(
      fc.asyncProperty(fc.array(garbled, { minLength: 16, maxLength: 16 }), async (all) => {
        await Promise.all(
          all.map(async ({ method, path, options: { body, text, prefer, accept, headers } }) => {
            const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
            const answer = await fetch(`${server.url}/rest/v1${path.replace(/[#\s]/g, '%20')}`, {
              method,
              headers: {
                authorization: `Bearer ${serviceKey}`,
                ...(payload !== undefined && { 'content-type': 'application/json' }),
                ...(prefer !== undefined && { prefer }),
                ...(accept !== undefined && { accept }),
                ...headers,
              },
              ...(payload !== undefined && { body: payload }),
            });
            const said = await answer.text();
            if (answer.status >= 500 && !KNOWN.test(said)) {
              throw new Error(`${answer.status} for ${method} ${path}: ${said}`);
            }
          }),
        );
      }),
      { numRuns: 100 },
    );
  });
});
