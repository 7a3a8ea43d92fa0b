import { describe, expect, it } from 'vitest';
import { type Condition, parseFilter } from './filter.ts';

const is = (column: string, operator: Condition['operator'], ...values: string[]): Condition => ({
  ...{ column, operator, values },
  negated: false,
});

const good: [filter: string, conditions: Condition[]][] = [
  ['', []],
  [' \t', []],
  ['id=eq.1', [is('id', 'eq', '1')]],
  ['id=eq.', [is('id', 'eq', '')]],
  ['price=eq.1.50', [is('price', 'eq', '1.50')]],
  ['name=not.eq.x', [{ ...is('name', 'eq', 'x'), negated: true }]],
  ['a=gt.1,b=lt.2', [is('a', 'gt', '1'), is('b', 'lt', '2')]],
  ['name=eq."a,b"', [is('name', 'eq', 'a,b')]],
  ['name=eq."a\\"b\\\\"', [is('name', 'eq', 'a"b\\')]],
  ['name=eq.5" pipe', [is('name', 'eq', '5" pipe')]],
  ['id=in.(1,2)', [is('id', 'in', '1', '2')]],
  ['name=in.("a,b",(c),d)', [is('name', 'in', 'a,b', '(c)', 'd')]],
  ['done=is.null', [is('done', 'is', 'null')]],
  ['text=eq.a=b', [is('text', 'eq', 'a=b')]],
];

const bad = [
  'undefined',
  '=eq.1',
  'id=1',
  'id=foo.1',
  'id=in.1',
  'id=is.5',
  'id=eq.1,',
  'id=not.1',
];

describe('a filter', () => {
  it.each(good)('%s', (filter, conditions) => {
    expect(parseFilter(filter)).toEqual(conditions);
  });

  it.each(bad)('is rejected: %s', (filter) => {
    expect(() => parseFilter(filter)).toThrow('Error parsing `filter` params: ');
  });
});
