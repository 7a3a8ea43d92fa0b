import { describe, expect, it } from 'vitest';
import { rankNamed, searchesOf } from './rank.ts';

const ITEMS = [
  { path: '/people', label: 'People', words: 'guards employees' },
  { path: '/payruns', label: 'Pay Runs', words: 'wages' },
  { path: '/pay-rates', label: 'Pay Rates' },
  { path: '/hire', label: 'Hire a Person', words: 'guard employee new' },
];
const NONE = new Map<string, number>();
const found = (text: string, use = NONE) => rankNamed(ITEMS, text, use).map(({ label }) => label);

describe('the order of what is found', () => {
  it('has names that begin as typed before other words for them', () => {
    expect(found('p')).toEqual(['People', 'Pay Runs', 'Pay Rates', 'Hire a Person']);
    expect(found('guard')).toEqual(['People', 'Hire a Person']);
    expect(found('hire guard')).toEqual(['Hire a Person']);
    expect(found('wages')).toEqual(['Pay Runs']);
  });

  it('has what is used most first among equals', () => {
    expect(found('pay', new Map([['/pay-rates', 3]]))).toEqual(['Pay Rates', 'Pay Runs']);
    expect(found('p', new Map([['/hire', 9]]))[0]).toBe('People');
  });
});

describe('a search in a list', () => {
  const lists = [
    { path: '/orders', label: 'Post Orders' },
    { path: '/posts', label: 'Posts' },
    { path: '/staff', label: 'Staff' },
  ];
  const searches = (text: string) => searchesOf(lists, text).map(({ path }) => path);

  it('is named by the list and what to find, in either order', () => {
    expect(searches('post orders freeport')).toEqual(['/orders?q=freeport']);
    expect(searches('Freeport gate orders')).toEqual(['/orders?q=Freeport%20gate']);
  });

  it('is offered for no word alone', () => {
    expect(searches('orders')).toEqual([]);
    expect(searches('freeport gate')).toEqual([]);
  });
});
