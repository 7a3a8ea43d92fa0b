// Lists filter by patterns of the browser, their totals by patterns of the database: both must be the same.

import fc from 'fast-check';
import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldText } from '#shared/search-text.ts';
import { rolledBack } from '#tests/support/session.ts';
import { searchPatterns } from '#web/lib/data/search-filter.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});

/** Pieces that are folded, dropped, joined or escaped. */
const PIECES = [
  'jose',
  'José',
  'JOSE\u0301',
  "O'Brien",
  'o’brien',
  'Łódź',
  'Straße',
  'ẞ',
  'Æ',
  'œuvre',
  'Kpɛllɛ',
  'Ɗ',
  'ı',
  'İ',
  '中文',
  'مرحبا',
  'Ωμέγας',
  'Жук',
  '\uff11\uff12',
  '½',
  '´',
  '+231',
  '0770111001',
  '231',
  '00231',
  '077-011.1001',
  '(077)',
  '770111',
  '-',
  '.',
  ' ',
  '  ',
  '\t',
  '\u00a0',
  '\u3000',
  '\u200b',
  '*',
  '%',
  '_',
  '\\',
  '"',
  ',',
  '{',
  '}',
  '/',
  '7',
];
const written = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 })), { maxLength: 12 })
  .map((pieces) => pieces.join('').replaceAll('\0', ''));

test('the browser folds text as the database does', async () => {
  const texts = fc.sample(written, { numRuns: 2000, seed: 50 });
  const { rows } = await database.owner.query<{ folded: string }>(
    'select private.folded(text) as folded from unnest($1::text[]) with ordinality t (text, at) order by at',
    [texts],
  );
  expect(rows.map(({ folded }) => folded)).toEqual(texts.map(foldText));
});

/** As the data service reads them: elements of an array, `*` as the wildcard. */
const sentBy = (text: string) => `{${searchPatterns(text).join(',')}}`;
const SAME = `select given.text from unnest($1::text[], $2::text[]) given (text, sent)
  where array(select replace(pattern, '*', '%') from unnest(given.sent::text[]) pattern)
    <> private.search_patterns(given.text)`;

test('the browser sends the patterns that the database makes', async () => {
  const texts = fc.sample(written, { numRuns: 2000, seed: 51 });
  const { rows } = await database.owner.query(SAME, [texts, texts.map(sentBy)]);
  expect(rows).toEqual([]);
});

test.each([
  '',
  '   ',
  'ama',
  ' Ama  KOLLIE ',
  '50%',
  'a_b',
  'a\\b',
  'a"b',
  'a*b',
  '{x,y}',
  "o'brien",
  'a\tb\nc\u00a0d\u2003e\ufefff',
  'a\u200bb',
  'one two three four five six seven eight nine',
  `${'x'.repeat(199)} y`,
  `${'x'.repeat(250)} y`,
])('%j becomes the same patterns', async (text) => {
  const { rows } = await database.owner.query(SAME, [[text], [sentBy(text)]]);
  expect(rows).toEqual([]);
});

describe('a search of shifts with more than eight words', () => {
  const nine = 'alpha one two three four five six seven nowhere';

  test('counts what the list shows: the ninth word is left out', async () => {
    const { owner } = database;
    await owner.query(
      `insert into sites (name, client_name, address) values ('Alpha', 'One two three', 'four')`,
    );
    await owner.query(
      `insert into shifts (site_id, start_time, end_time, notes)
       select id, now(), now() + interval '8 hours', 'four five six seven' from sites`,
    );
    const list = `select count(*)::int as shifts from shift_board b where search_text(b) like all ($1::text[])`;
    const patterns = `{${searchPatterns(nine).join(',')}}`.replaceAll('*', '%');
    const shown = await owner.query(list, [patterns]);
    const totals = await owner.query('select shifts from shift_totals(p_search => $1)', [nine]);
    expect(shown.rows).toEqual([{ shifts: 1 }]);
    expect(totals.rows).toEqual(shown.rows);
  });
});

describe('of 5,000 rows', () => {
  const MANY = 'generate_series(1, 5000) n';

  test.each([
    [
      'clients',
      'clients_search_idx',
      'jose perez',
      `name = 'José Pérez'`,
      `insert into clients (name, location, number_of_guards, monthly_rate)
      select 'Client ' || n, 'Monrovia', 1, 1 from ${MANY}`,
    ],
    [
      'sites',
      'sites_search_idx',
      'OBRIEN',
      `name = 'O’Brien Yard'`,
      `insert into sites (name, client_name, address)
      select 'Site ' || n, 'Client', 'Road' from ${MANY}`,
    ],
    [
      'people',
      'profiles_search_idx',
      'lukasz',
      `full_name = 'Łukasz'`,
      `insert into profiles (id, full_name)
      select gen_random_uuid(), 'Person ' || n from ${MANY}`,
    ],
    [
      'staff',
      'staff_search_idx',
      '+231 77 011 1001',
      `phone = '0770111001'`,
      `insert into staff
      (full_name, role, hire_date, salary_amount, payment_frequency, phone)
      select 'Staff ' || n, 'guard', '2031-01-01', 1, 'monthly', '+23177' || 1000000 + n from ${MANY}`,
    ],
    [
      'incidents',
      'incidents_search_idx',
      'CAFE',
      `title = 'Café closed'`,
      `insert into incidents
      (site_id, title, category, severity, description)
      select (select id from sites limit 1), 'Report ' || n, 'other', 'low', 'Nothing of note was seen here' from ${MANY}`,
    ],
  ])('%s are found by the index', async (kind, index, search, named, fill) => {
    const table = kind === 'people' ? 'profiles' : kind;
    await rolledBack(database.owner, async (client) => {
      await client.query(
        `insert into sites (name, client_name, address) values ('Gate', 'Client', 'Road')`,
      );
      // Without triggers.
      await client.query('set local session_replication_role = replica');
      await client.query(fill);
      await client.query(
        `update ${table} set ${named} where id = (select max(id::text)::uuid from ${table})`,
      );
      await client.query(`analyze ${table}`);
      const body = await client.query<{ sql: string }>(
        `select replace(prosrc, 'patterns)', 'private.search_patterns(' || quote_literal($2) || '))') as sql
         from pg_proc where proname = 'found_' || $1`,
        [kind, search],
      );
      const sql = body.rows[0]?.sql.replace(/;\s*$/, '') ?? '';
      const plan = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`);
      expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
      expect((await client.query(sql)).rows).toHaveLength(1);
    });
  });
});
