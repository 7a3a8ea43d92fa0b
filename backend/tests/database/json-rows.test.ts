// Rows that Node writes as JSON are byte for byte what PostgreSQL would have written.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '#backend/database/database.ts';
import { ResultTooLarge } from '#backend/database/exchange.ts';
import { UnknownType } from '#backend/database/wire/json-rows.ts';
import { freshDatabase } from '#tests/support/database.ts';

let database: Database;

beforeAll(async () => {
  const { connection } = await freshDatabase();
  database = openDatabase(connection, 1, () => {});
});

afterAll(() => database.end());

const caller = { role: 'authenticated', claims: '{"role":"authenticated"}' };

/** @returns the rows of a query, as Node and as PostgreSQL write them, and how many there are */
async function bothWays(
  rows: string,
  values: (string | null)[],
  settings: [string, string][] = [],
): Promise<{ node: string | undefined; postgres: string | null | undefined; count: string }> {
  const [own, whole] = await database.callers.runAll(
    caller,
    [
      { text: rows, values, returnsJson: true },
      { text: `select coalesce(json_agg(_r), '[]') from (${rows}) _r`, values },
    ],
    { settings },
  );
  return {
    node: own?.bytes?.toString('utf8'),
    postgres: whole?.rows[0]?.[0],
    count: own?.command ?? '',
  };
}

const COLUMNS = `"a bool" bool, n2 int2, n4 int4, n8 int8, r4 real, r8 double precision, n numeric, t text,
  v varchar(40), u uuid, d date, s timestamp, z timestamptz, j json, b jsonb`;

/** PostgreSQL can't store NUL. */
const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((value) => value.replaceAll('\0', ''));
const time = fc.oneof(
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  fc.constantFrom('infinity', '-infinity', '0044-03-15 10:00:00 BC', '12026-11-25 23:59:59.999999'),
);
const decimal = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('NaN', 'Infinity', '-Infinity', '-0', '1e-7', '123456789012345678901234567890.5'),
);
const json = fc.jsonValue().map((value) => JSON.stringify(value).replaceAll('\\u0000', ''));
const row = fc.record(
  {
    'a bool': fc.boolean(),
    n2: fc.integer({ min: -32_768, max: 32_767 }),
    n4: fc.integer(),
    n8: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    r4: fc.oneof(fc.float({ noNaN: true }).map(String), fc.constantFrom('NaN', '-Infinity')),
    r8: decimal,
    n: decimal,
    t: text,
    v: text.map((value) => [...value].slice(0, 40).join('')),
    u: fc.uuid(),
    d: time,
    s: time,
    z: time,
  },
  { requiredKeys: [] },
);

describe('rows written by Node', () => {
  it('are what json_agg writes, for values of every type and in zones with minutes', async () => {
    const zones = fc.constantFrom('UTC', 'Africa/Monrovia', 'Asia/Kathmandu', 'America/St_Johns');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(row, json)), zones, async (rows, zone) => {
        const given = rows.map(([one, value]) => ({ ...one, j: value, b: value }));
        const read = `select ${COLUMNS.replace(/("a bool"|\w+) ([^,]+)/g, (_, name, type) =>
          /^jsonb?$/.test(type.trim()) ? `(${name})::${type}` : name,
        )} from json_to_recordset($1::json) as _given(${COLUMNS.replace(/\bjsonb?\b/g, 'text')})`;
        const { node, postgres, count } = await bothWays(
          read,
          [JSON.stringify(given)],
          [['timezone', zone]],
        );
        expect(node).toBe(postgres);
        expect(count).toBe(`SELECT ${rows.length}`);
      }),
      { numRuns: 200 },
    );
  });

  it('escapes what JSON must, and nothing else', async () => {
    const every = Array.from({ length: 0x2ff }, (_, code) => String.fromCodePoint(code + 1)).join(
      '',
    );
    const { node, postgres } = await bothWays('select $1::text as "odd ""name"', [every]);
    expect(node).toBe(postgres);
  });

  it('grows for a text that is longer than all before', async () => {
    for (const length of [1, 100_000, 3]) {
      const { node, postgres } = await bothWays(`select repeat('"', $1::int) as t`, [`${length}`]);
      expect(node).toBe(postgres);
    }
  });

  it('is an empty array without rows', async () => {
    expect((await bothWays('select 1 as n where false', [])).node).toBe('[]');
  });

  it('is an array of empty objects without columns', async () => {
    const { node, postgres } = await bothWays('select from generate_series(1, 2)', []);
    expect(node).toBe(postgres);
  });

  it('is refused for a type that PostgreSQL must write, and the connection goes on', async () => {
    const list = { text: `select array[1, 2] as list`, values: [], returnsJson: true };
    await expect(database.callers.run(caller, list)).rejects.toBeInstanceOf(UnknownType);
    expect((await bothWays('select 1 as n', [])).node).toBe('[{"n":1}]');
  });

  it('counts keys and escapes towards the limit of a response', async () => {
    const read = {
      text: `select repeat('"', 60) as a_rather_long_name from generate_series(1, 10)`,
      values: [],
      returnsJson: true,
    };
    // The rows themselves have 720 bytes.
    const limited = database.callers.run(caller, read, { maxBytes: 1_000 });
    await expect(limited).rejects.toBeInstanceOf(ResultTooLarge);
    expect((await database.callers.run(caller, read, { maxBytes: 2_000 })).bytes?.length).toBe(
      1488,
    );
  });
});
