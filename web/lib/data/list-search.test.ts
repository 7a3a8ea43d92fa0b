import { describe, expect, it } from 'vitest';
import { toOptions } from '../vocabulary/options.ts';
import { parseOrder, recordsSearch } from './list-search.ts';

const search = recordsSearch(['date', 'amount']);

describe('the address of a list', () => {
  it('is read, with the sizes of a page that can be chosen', () => {
    expect(search({ q: ' fuel ', page: '2', size: '50', sort: '-date' })).toEqual({
      q: 'fuel',
      page: 2,
      size: 50,
      sort: '-date',
    });
  });

  it('drops what no control writes', () => {
    const typed = { page: '0', size: '51', sort: 'salary', open: 'me' };
    expect(Object.values(search(typed)).filter((value) => value !== undefined)).toEqual([]);
    expect(search({ open: 'new' })).toEqual({ open: 'new' });
  });

  it('orders by the column of the sort key, else as usual', () => {
    const usual = { column: 'created_at', ascending: false };
    expect(parseOrder('-date', { date: 'expense_date' }, usual)).toEqual({
      column: 'expense_date',
      ascending: false,
    });
    expect(parseOrder(undefined, {}, usual)).toBe(usual);
  });
});

it('options are in the order of the values', () => {
  expect(toOptions(['b', 'a'], { a: 'First', b: 'Second' })).toEqual([
    ['b', 'Second'],
    ['a', 'First'],
  ]);
});
