import { expect, test } from 'vitest';
import { searchFilters } from './search-filter.ts';

test.each([
  ['', []],
  ['  ama  ', ['name.ilike."*ama*",note.ilike."*ama*"']],
  [
    'ama kollie',
    ['name.ilike."*ama*",note.ilike."*ama*"', 'name.ilike."*kollie*",note.ilike."*kollie*"'],
  ],
  ['50%', ['name.ilike."*50\\\\%*",note.ilike."*50\\\\%*"']],
  ['a_b', ['name.ilike."*a\\\\_b*",note.ilike."*a\\\\_b*"']],
  ['x,y)"', ['name.ilike."*x,y)\\"*",note.ilike."*x,y)\\"*"']],
  ['\\', ['name.ilike."*\\\\\\\\*",note.ilike."*\\\\\\\\*"']],
])('%j becomes %j', (text, filters) => {
  expect(searchFilters(['name', 'note'], text)).toEqual(filters);
});
