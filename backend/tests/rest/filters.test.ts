// Random filters over random rows: the service must find the same rows as the equivalent SQL.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Rest, restOf } from '#tests/support/rest.ts';
import { type TestServer, testServer } from '#tests/support/server.ts';

/** One condition as query string and as SQL with literals. */
interface Condition {
  /** The form inside a logic tree, for example `n.gt.3`. */
  asked: string;
  sql: string;
}

const WORDS = [
  'a',
  'B',
  'a,b',
  '(x)',
  '"q"',
  'back\\slash',
  'per%cent',
  'st*ar',
  'dot.ted',
  '{br}',
  "o'clock",
  '',
  ' sp ace ',
  'ünï',
  'NULL',
  'a:b',
  '1',
];
let server: TestServer;
let rest: Rest;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const COMPARISONS = [
  ['eq', '='],
  ['neq', '<>'],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
] as const;
const comparison = fc.constantFrom(...COMPARISONS);
const number = fc.integer({ min: -3, max: 3 });
const word = fc.constantFrom(...WORDS);
const numbers = fc.uniqueArray(number, { minLength: 1, maxLength: 3 });

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .tuple(comparison, number)
    .map(([[op, sign], n]) => ({ asked: `n.${op}.${n}`, sql: `n ${sign} ${n}` })),
  fc
    .tuple(comparison, word)
    .map(([[op, sign], t]) => ({ asked: `t.${op}.${quoted(t)}`, sql: `t ${sign} ${literal(t)}` })),
  fc.uniqueArray(word, { minLength: 2, maxLength: 4 }).map((list) => ({
    asked: `t.in.(${list.map(quoted).join(',')})`,
    sql: `t in (${list.map(literal).join(',')})`,
  })),
  fc.tuple(fc.constantFrom('like', 'ilike'), word).map(([op, t]) => ({
    asked: `t.${op}.${quoted(`*${t}*`)}`,
    sql: `t ${op} ${literal(`%${t.replaceAll('*', '%')}%`)}`,
  })),
  fc
    .tuple(fc.constantFrom(['cs', '@>'], ['cd', '<@'], ['ov', '&&']), numbers)
    .map(([[op, sign], list]) => ({
      asked: `a.${op}.{${list.join(',')}}`,
      sql: `a ${sign} '{${list.join(',')}}'`,
    })),
  fc
    .tuple(
      fc.constantFrom('any', 'all'),
      comparison.filter(([op]) => op !== 'neq'),
      numbers,
    )
    .map(([how, [op, sign], list]) => ({
      asked: `n.${op}(${how}).{${list.join(',')}}`,
      sql: `n ${sign} ${how}('{${list.join(',')}}')`,
    })),
  fc
    .tuple(comparison, number)
    .map(([[op, sign], n]) => ({ asked: `j->k.${op}.${n}`, sql: `j -> 'k' ${sign} '${n}'` })),
  fc.tuple(comparison, word).map(([[op, sign], t]) => ({
    asked: `j->>w.${op}.${quoted(t)}`,
    sql: `j ->> 'w' ${sign} ${literal(t)}`,
  })),
  fc
    .tuple(fc.constantFrom('n', 't', 'a', 'b'), fc.constantFrom('null', 'not_null'))
    .map(([column, what]) => ({
      asked: `${column}.is.${what}`,
      sql: `${column} is ${what === 'null' ? 'null' : 'not null'}`,
    })),
  fc
    .constantFrom('true', 'false', 'unknown')
    .map((what) => ({ asked: `b.is.${what}`, sql: `b is ${what}` })),
  number.map((n) => ({ asked: `n.isdistinct.${n}`, sql: `n is distinct from ${n}` })),
);

const negated = leaf.chain((one) =>
  fc.boolean().map((not): Condition => {
    if (!not) return one;
    const [column = '', ...words] = one.asked.split('.');
    return { asked: `${column}.not.${words.join('.')}`, sql: `not (${one.sql})` };
  }),
);

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    negated,
    fc
      .tuple(
        fc.boolean(),
        fc.constantFrom('and', 'or'),
        fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
      )
      .map(
        ([not, operator, terms]): Condition => ({
          asked: `${not ? 'not.' : ''}${operator}(${terms.map((term) => term.asked).join(',')})`,
          sql: `${not ? 'not ' : ''}(${terms.map((term) => `(${term.sql})`).join(` ${operator} `)})`,
        }),
      ),
  ),
}));

beforeAll(async () => {
  server = await testServer();
  rest = restOf(server);
  const { owner } = server.database;
  await owner.query(`create table public.samples (id int primary key, n int, t text, a int[], j jsonb, b boolean);
    grant select on public.samples to anon`);
  const cell = <T>(values: T[], seed: number): T | null =>
    seed % 7 === 0 ? null : (values[seed % values.length] ?? null);
  for (let id = 1; id <= 150; id += 1) {
    const n = cell([-3, -2, -1, 0, 1, 2, 3], id * 3);
    const t = cell(WORDS, id * 5 + 1);
    const a = cell([[], [1], [1, 2], [-1, 0, 3]], id * 11 + 2);
    const j = cell(
      [{}, { k: 1 }, { k: -2, w: 'a,b' }, { w: '"q"' }, { k: 3, w: 'B' }],
      id * 13 + 3,
    );
    await owner.query('insert into public.samples values ($1, $2, $3, $4, $5, $6)', [
      id,
      n,
      t,
      a,
      j,
      cell([true, false], id * 17),
    ]);
  }
});

describe('a random filter', () => {
  it('finds the same rows as plain SQL', async () => {
    const sizes = new Set<number>();
    await fc.assert(
      fc.asyncProperty(condition, async ({ asked, sql }) => {
        const found = await rest(
          'GET',
          `/samples?select=id&order=id&and=${encodeURIComponent(`(${asked})`)}`,
        );
        const { rows } = await server.database.owner.query(
          `select id from public.samples where ${sql} order by id`,
        );
        expect([found.status, found.json()]).toEqual([200, rows]);
        sizes.add(rows.length);
      }),
      { numRuns: 600 },
    );
    // Guards against filters that match nothing or everything, which prove little.
    expect(sizes.size).toBeGreaterThan(20);
  });

  it('means the same alone as in a logic tree', async () => {
    await fc.assert(
      fc.asyncProperty(negated, async ({ asked, sql }) => {
        const at = asked.indexOf('.');
        const [column, operation] = [asked.slice(0, at), asked.slice(at + 1)];
        // Outside a logic tree, quotes are part of the value.
        fc.pre(!operation.includes('"'));
        const found = await rest(
          'GET',
          `/samples?select=id&order=id&${encodeURIComponent(column)}=${encodeURIComponent(operation)}`,
        );
        const { rows } = await server.database.owner.query(
          `select id from public.samples where ${sql} order by id`,
        );
        expect([found.status, found.json()]).toEqual([200, rows]);
      }),
      { numRuns: 200 },
    );
  });
});
