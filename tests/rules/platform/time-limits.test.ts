// The browser and the database apply the same durations, limits and lists.
import { readFile } from 'node:fs/promises';
import { freshDatabase } from 'supabase-in-node/testing/database';
import { expect, test } from 'vitest';
import { CLOCK_IN_LEAD_MINUTES, SICK_LEAVE_DAYS_BACK } from '#shared/database.limits.ts';
import { limitsOf, renderLimits } from '../../../scripts/types/limits.ts';

const read = (file: string) =>
  readFile(new URL(`../../../shared/${file}`, import.meta.url), 'utf8');

test('the generated files have the durations, limits and lists of the database', async () => {
  const { owner } = await freshDatabase();
  const client = await owner.connect();
  try {
    const { limits, values } = await renderLimits(client);
    expect(limits).toBe(await read('database.limits.ts'));
    expect(values).toBe(await read('database.values.ts'));
    const { rows } = await client.query(
      `select private.clock_in_lead() = make_interval(mins => $1) and private.sick_leave_days_back() = $2 as same`,
      [CLOCK_IN_LEAD_MINUTES, SICK_LEAVE_DAYS_BACK],
    );
    expect(rows).toEqual([{ same: true }]);
  } finally {
    client.release();
  }
});

test.each([
  ['CHECK ((char_length(note) <= 500))', { max: 500 }],
  ['CHECK (((char_length(note) >= 3) AND (char_length(note) <= 1000)))', { min: 3, max: 1000 }],
  [
    "CHECK (((latitude >= ('-90'::integer)::double precision) AND (latitude <= (90)::double precision)))",
    { min: -90, max: 90 },
  ],
  ['CHECK (((amount > (0)::numeric) AND (amount <= 999999999999.99)))', { max: 999999999999.99 }],
  ["CHECK (((day >= '1900-01-01'::date) AND (day <= '2199-12-31'::date)))", {}],
  ["CHECK ((state = ANY (ARRAY['a'::text, 'it''s'::text])))", { values: ['a', "it's"] }],
  [
    "CHECK (((cardinality(ways) > 0) AND (ways <@ ARRAY['a'::text, 'b'::text])))",
    { values: ['a', 'b'] },
  ],
  ['CHECK ((minutes = ANY (ARRAY[1, 5])))', { values: [1, 5] }],
  ['CHECK (((a IS NULL) OR (char_length(a) <= 5)))', {}],
])('%s', (definition, expected) => {
  expect(limitsOf(definition)).toEqual(expected);
});
