import fc from 'fast-check';
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  countUpTo,
  day,
  defineSearch,
  either,
  matching,
  oneOf,
  type SearchField,
  searchText,
  textUpTo,
  uuid,
} from './search-fields.ts';

const MONTH = /^\d{4}-\d{2}$/;

const typed = z.union([z.string(), z.number(), z.boolean()]);

/** Each field, and what Zod makes of the same rule. */
const RULES: [string, SearchField<unknown>, z.ZodType][] = [
  ['oneOf', oneOf(['all', 'open']), z.enum(['all', 'open'])],
  ['oneOf of numbers', oneOf([4]), z.literal(4)],
  ['textUpTo', textUpTo(5), z.string().max(5)],
  ['matching', matching(MONTH), z.string().regex(MONTH)],
  ['uuid', uuid, z.uuid()],
  ['day', day, z.iso.date()],
  [
    'searchText',
    searchText,
    typed.pipe(z.coerce.string<string | number | boolean>().trim().max(200)),
  ],
  [
    'countUpTo',
    countUpTo(100),
    typed.pipe(z.coerce.number<string | number | boolean>().int().min(1).max(100)),
  ],
  ['either', either(uuid, oneOf(['new'])), z.union([z.uuid(), z.literal('new')])],
];

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: length, maxLength: length });
const values = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.constantFrom('all', 'new', '4', 4, '', ' a ', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
  fc.constantFrom('00000000-0000-0000-0000-000000000000', '2024-02-29', '2026-02-29'),
  fc.constantFrom('2026-11-31', '0000-01-01', '2026-13-01', '1900-02-29', '2000-02-29'),
  fc.tuple(digits(4), digits(2), digits(2)).map((parts) => parts.join('-')),
  fc.tuple(digits(4), digits(2)).map((parts) => parts.join('-')),
  fc.integer({ min: -5, max: 120 }),
  fc.integer({ min: -5, max: 120 }).map(String),
  fc.string({ maxLength: 8 }),
  fc.string({ minLength: 198, maxLength: 203 }),
  fc.jsonValue(),
  fc.constant({ toString: false }),
);

it.each(RULES)('%s reads what Zod reads', (_, field, schema) => {
  const parsed = schema.optional().catch(undefined);
  fc.assert(
    fc.property(values, (value) => {
      expect(field(value)).toEqual(parsed.parse(value));
    }),
    { numRuns: 500 },
  );
  expect(field(undefined)).toBeUndefined();
});

it('drops parameters that the screen does not have, and invalid values', () => {
  const read = defineSearch({ state: oneOf(['open']), q: searchText, day });
  expect(read({ state: 'open', q: 7, day: 'x', toString: '1', __proto__: '2' })).toEqual({
    state: 'open',
    q: '7',
    day: undefined,
  });
  expect(Object.keys(read({}))).toEqual([]);
});
