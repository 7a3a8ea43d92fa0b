// Lists filter by patterns of the browser, their totals by patterns of the database: both must be the same.

import { freshDatabase, type TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, describe, expect, test } from 'vitest';
import { searchPatterns } from '#web/lib/data/search-filter.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
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
  // As the data service reads them: elements of an array, `*` as the wildcard.
  const sent = `{${searchPatterns(text).join(',')}}`;
  const { rows } = await database.owner.query(
    `select array(select replace(pattern, '*', '%') from unnest($1::text[]) pattern)
       = private.search_patterns($2) as same`,
    [sent, text],
  );
  expect(rows).toEqual([{ same: true }]);
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
    const list = `select count(*)::int as shifts from shift_board b where search_text(b) ilike all ($1::text[])`;
    const patterns = `{${searchPatterns(nine).join(',')}}`.replaceAll('*', '%');
    const shown = await owner.query(list, [patterns]);
    const totals = await owner.query('select shifts from shift_totals(p_search => $1)', [nine]);
    expect(shown.rows).toEqual([{ shifts: 1 }]);
    expect(totals.rows).toEqual(shown.rows);
  });
});
