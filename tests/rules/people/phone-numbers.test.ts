// Phone numbers are read in the database as in the browser.
import fc from 'fast-check';
import type { TestDatabase } from 'supabase-in-node/testing/database';
import { beforeAll, expect, test } from 'vitest';
import { toE164 } from '#shared/phone.ts';
import { PHONE_NUMBERS } from '#tests/support/phone-examples.ts';
import { sceneDatabase } from '#tests/support/scene-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  ({ database } = await sceneDatabase());
});

async function readByDatabase(written: readonly string[]) {
  const { rows } = await database.owner.query<{ number: string | null }>(
    'select private.e164(w) as number from unnest($1::text[]) with ordinality t (w, n) order by n',
    [written],
  );
  return rows.map(({ number }) => number ?? undefined);
}

test('are read as in the browser', async () => {
  expect(await readByDatabase(PHONE_NUMBERS.map(([written]) => written))).toEqual(
    PHONE_NUMBERS.map(([, number]) => number),
  );
});

test('are read as in the browser, whatever is written', async () => {
  const parts = ['+', '00', '0', '231', '(0)', '(', ')', '7', '12', '345', '6789012', 'E', "'"];
  const noise = [
    ' ',
    '-',
    '.',
    '/',
    '\u00A0',
    '\u202A',
    '\u200B',
    '\u2011',
    '\t',
    '\u3000',
    '\u0085',
  ];
  const written = fc.sample(
    fc
      .array(fc.constantFrom(...parts, ...parts, ...noise), { maxLength: 8 })
      .map((all) => all.join('')),
    { numRuns: 5000, seed: 7 },
  );
  expect(await readByDatabase(written)).toEqual(written.map(toE164));
});
