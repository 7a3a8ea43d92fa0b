// Calls every function that callers can execute with extreme arguments. Functions, arguments and types come from the
// catalogue: a new function is covered without being named here, a new type fails until it has values.
import { DatabaseError, type PoolClient } from 'pg';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  admin,
  contactHere,
  dispatcher,
  guardHere,
  type Person,
  supervisorHere,
} from '#tests/support/people.ts';
import { ordinary, type Routine, readRoutines, VALUES } from '#tests/support/routines.ts';
import type { Scene } from '#tests/support/scene.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';
import { become, rolledBack } from '#tests/support/session.ts';

/** Ends a call that would not end by itself, on a busy machine too: how fast calls are is measured, not tested. */
const ENDLESS = '60s';
/** Maximum rows of one call, as in the data service. */
const MOST_ROWS = 1000;
/** Maximum bytes of one call's rows. */
const MOST_BYTES = 1_000_000;

/** A client error: class 22, missing privilege, a constraint, or a 4xx status chosen by the function. */
const CLEAR = /^(22...|42501|23...|PT4..)$/;

/** Read page by page, like the view whose rows they return. */
const READ_BY_PAGE = ['search_shifts', 'missing_tax_numbers'];

let database: TestDatabase;
let scene: Scene;
let routines: Routine[];

/** Many rows over many years, so that unbounded results show. */
const VOLUME = `
  set session_replication_role = replica;
  insert into auth.users (id, email) select gen_random_uuid(), 'person' || n || '@many.example' from generate_series(1, 400) n;
  insert into profiles (id, email) select id, email from auth.users where email like '%@many.example';
  insert into user_roles (user_id, role) select id, 'guard' from auth.users where email like '%@many.example';
  insert into staff (full_name, salary_amount)
    select 'Staff ' || n, 100 from generate_series(1, 300) n;
  insert into sites (name, client_name, address)
    select 'Site ' || n, 'Client', 'Monrovia' from generate_series(1, 300) n;
  set session_replication_role = origin;
  insert into shifts (site_id, start_time, end_time)
    select s.id, now() + n * interval '2 days', now() + n * interval '2 days' + interval '8 hours'
    from sites s, generate_series(-1200, 1200) n where s.name = 'Here';
  insert into clients (name, number_of_guards, monthly_rate, location)
    select 'Client ' || n, 1, 100, 'Sinkor' from generate_series(1, 1500) n;
  insert into expense_reports (title, amount, category, expense_date, report_type)
    select 'Fuel', 1, 'transport', date '2021-01-01' + n, 'daily' from generate_series(1, 1500) n;
`;

beforeAll(async () => {
  ({ database, scene } = await sceneDatabase());
  await rolledBack(database.owner, async (client) => {
    await client.query(VOLUME);
    await client.query('commit');
  });
  routines = await readRoutines(database.owner);
});

/** Arguments of every call of a function: one edge case at a time, then all at the same index of their lists. */
function callsOf({ parameters }: Routine): string[][] {
  const usual = parameters.map((one) => ordinary(scene, one));
  const odd = parameters.map(({ type }) => (VALUES[type] ?? []).slice(1));
  const single = odd.flatMap((values, at) => values.map((value) => usual.with(at, value)));
  const longest = Math.max(0, ...odd.map((values) => values.length));
  const together = Array.from({ length: longest }, (_, n) =>
    odd.map((values, at) => values[n] ?? values[0] ?? usual[at] ?? 'null'),
  );
  // The longest range.
  const widest = odd.map((values, at) => {
    const isEnd = /_(to|end|until)$/.test(parameters[at]?.name ?? '');
    const type = parameters[at]?.type ?? '';
    if (type !== 'date' && type !== 'timestamp with time zone') return usual[at] ?? 'null';
    return (isEnd ? values.at(-1) : values.at(-2)) ?? 'null';
  });
  return [usual, ...single, ...together, widest];
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

/** @returns false for a clear refusal, which is no null @throws any other error */
function refusalOf(error: unknown): false {
  if (error instanceof DatabaseError && CLEAR.test(error.code ?? '')) return false;
  throw error;
}

/** @returns what is wrong with the result, or undefined */
async function tried(
  client: PoolClient,
  { name, parameters }: Routine,
  values: string[],
): Promise<string | undefined> {
  const list = values.map((value, at) => {
    const { name: parameter, type } = parameters[at] ?? { name: '', type: 'text' };
    const typed = `(${value})::${type}`;
    return parameter === '' ? typed : `"${parameter}" => ${typed}`;
  });
  await client.query('savepoint call');
  try {
    const { rows } = await client.query<{ rows: number; bytes: string }>(
      `select count(*)::int as rows, coalesce(sum(length(r::text)), 0) as bytes from public."${name}"(${list}) r`,
    );
    const [found] = rows;
    if (READ_BY_PAGE.includes(name)) return undefined;
    if (found === undefined || found.rows > MOST_ROWS) return `${found?.rows} rows`;
    return Number(found.bytes) > MOST_BYTES ? `${found.bytes} bytes` : undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return CLEAR.test(error.code ?? '') ? undefined : `${error.code} ${error.message}`;
  } finally {
    await client.query('rollback to savepoint call');
  }
}

async function allTried(person: Person): Promise<string[]> {
  const wrong: string[] = [];
  for (const routine of routines) {
    await rolledBack(database.owner, async (client) => {
      await become(client, person);
      await client.query(`set local statement_timeout = '${ENDLESS}'`);
      for (const values of callsOf(routine)) {
        const said = await tried(client, routine, values);
        if (said !== undefined) wrong.push(`${routine.name}(${values.map(shown)}): ${said}`);
      }
    });
  }
  return wrong;
}

test('a boolean result is never null, whatever the arguments: `if not` would skip a null', async () => {
  const { rows } = await database.owner.query<{ schema: string; name: string; nulls: string }>(`
    select n.nspname as schema, p.proname as name, coalesce((
      select string_agg(
        case when p.provariadic <> 0 and a.n = p.pronargs then 'variadic ' else '' end
          || 'null::' || format_type(a.type, null), ', ' order by a.n)
      from unnest(p.proargtypes::oid[]) with ordinality a (type, n)
    ), '') as nulls
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'private') and p.prorettype = 'boolean'::regtype and not p.proretset`);
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['may_plan', 'is_member']));
  const unsure: string[] = [];
  for (const { schema, name, nulls: list } of rows) {
    for (const person of [admin, dispatcher, supervisorHere, guardHere]) {
      await rolledBack(database.owner, async (client) => {
        // The owner can also call functions meant only for triggers and other functions.
        await client.query(`select set_config('request.jwt.claims', $1, true)`, [
          JSON.stringify(person.claims),
        ]);
        const call = client.query<{ answer: boolean | null }>(
          `select ${schema}."${name}"(${list}) as answer`,
        );
        const answer = await call.then(({ rows: [found] }) => found?.answer, refusalOf);
        if (answer === null) unsure.push(`${name}(${list}) as ${person.name}`);
      });
    }
  }
  expect(unsure).toEqual([]);
});

describe('a function that callers can execute', () => {
  test('has only argument types with edge-case values listed here', () => {
    const types = routines.flatMap(({ parameters }) => parameters.map(({ type }) => type));
    expect(routines.length).toBeGreaterThan(40);
    expect([...new Set(types)].filter((type) => VALUES[type] === undefined)).toEqual([]);
  });

  test.each([
    ['a guard', guardHere],
    ['a supervisor of one site', supervisorHere],
    ['a dispatcher', dispatcher],
    ['an admin', admin],
    ["a client's contact", contactHere],
  ])(
    'answers %s clearly, with a bounded number of rows and bytes, whatever the arguments',
    { timeout: 600_000 },
    async (_who, person) => {
      expect(await allTried(person)).toEqual([]);
    },
  );
});
