import { defaultStringifySearch } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { parseSearch } from './parse-search.ts';

it.each(['2438e538', '1e5', '007', '1.50', '12345678901234567890', '-0'])(
  'a link that searches for %s searches for just that',
  (q) => {
    expect(parseSearch(`?q=${q}`)).toEqual({ q });
    expect(parseSearch(defaultStringifySearch({ q }))).toEqual({ q });
  },
);

it('pages are numbers, switches true or false', () => {
  expect(parseSearch('?page=2&all=true&q=fuel')).toEqual({ page: 2, all: true, q: 'fuel' });
});
