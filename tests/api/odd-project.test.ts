// The data service on a project that has nothing in common with ours: what it promises, line by line (PROTOCOL.md 2).
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { otherProject, type TestServer } from '#tests/support/server.ts';
import { calls } from './odd/calls.ts';
import { errors } from './odd/errors.ts';
import { errorsOfNames } from './odd/errors-of-names.ts';
import { errorsOfTheDatabase } from './odd/errors-of-the-database.ts';
import { filters } from './odd/filters.ts';
import { formats } from './odd/formats.ts';
import { more } from './odd/more.ts';
import { media, names, values, windows } from './odd/reads.ts';
import { play, type Scenario, SECRET } from './odd/scenario.ts';
import { shapes } from './odd/shapes.ts';
import { writes } from './odd/writes.ts';

/** Codes that PROTOCOL.md 2.1 maps to 5xx although the request brought them about. */
const KNOWN = /"code":"(55|21)\w{3}"/;

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
  ['names not found', errorsOfNames],
  ['refusals of the database', errorsOfTheDatabase],
  ['values of every type', values],
  ['odd names', names],
  ['windows', windows],
  ['filters', filters],
  ['shapes', shapes],
  ['media types and methods', media],
  ['writes', writes],
  ['calls', calls],
  ['finer points', more],
  ['forms of its own', formats],
])('%s', (_what, scenarios) => {
  it.each(scenarios)('%s: %d', async (...scenario) => {
    await play(server, scenario);
  });
});

describe('supabase-js', () => {
  it('finds the settings of the project, not ours', async () => {
    const client = server.client();
    const email = 'odd@test.example';
    const short = await client.auth.signUp({ email, password: 'nine-char' });
    expect(short.error).toMatchObject({ code: 'weak_password', status: 422 });
    // Only a project that asks for it has a list of common passwords.
    const { data, error } = await client.auth.signUp({ email, password: '1234567890' });
    expect((await client.auth.signInWithPassword({ email, password: '1234567890' })).data).toEqual(
      expect.not.objectContaining({ weakPassword: expect.anything() }),
    );
    expect([error, data.session?.expires_in]).toEqual([null, 600]);
    expect(
      (await client.schema('shop').from('groups').select('id').eq('id', 1).single()).data,
    ).toEqual({ id: 1 });
    const odd = await client
      .schema('Odd World')
      .from('Big Things')
      .select('"The Name", parts:"Sub Things"(order)')
      .eq('Id number', 1)
      .order('order', { referencedTable: 'parts' });
    expect(odd.data).toEqual([{ 'The Name': 'whale', parts: [{ order: 1 }, { order: 2 }] }]);
    const called = await client.schema('Odd World').rpc('Do It', { 'Arg One': 1 });
    expect(called.data).toBe('1/two');
    // It asks for schema `public` unless told otherwise, which this project does not show.
    expect((await client.from('groups').select()).error?.code).toBe('PGRST106');
  });
});

describe('garbled scenarios', () => {
  const asked = [
    errors,
    errorsOfNames,
    values,
    names,
    windows,
    filters,
    shapes,
    media,
    writes,
    calls,
    more,
    formats,
  ]
    .flat()
    .filter(([, status]) => status < 500);

  it('never break the service', async () => {
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
