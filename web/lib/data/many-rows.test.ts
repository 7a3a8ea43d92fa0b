import { PostgrestError } from '@supabase/supabase-js';
import { expect, it } from 'vitest';
import { readRefusals } from './many-rows.ts';

const errorWith = (details: string) =>
  new PostgrestError({ message: 'Nothing was changed', code: 'PT409', details, hint: '' });

it('reads which rows the database refused', () => {
  const refused = [{ id: '1', name: 'Musu Flomo', reason: 'It has been changed since.' }];
  expect(readRefusals(errorWith(JSON.stringify(refused)))).toEqual(refused);
});

it.each([
  errorWith(''),
  errorWith('[truncated'),
  errorWith('[1]'),
  new Error('Failed to fetch'),
  undefined,
])('finds none in %s', (thrown) => {
  expect(readRefusals(thrown)).toEqual([]);
});
