import { expect, test } from 'vitest';
import { lastMonth, monthChoices } from './schema.ts';

test('three years of months, and the chosen one however long ago', () => {
  const months = monthChoices('2004-05');
  expect(months).toHaveLength(37);
  expect(months[1]).toBe(lastMonth());
  expect(months.at(-1)).toBe('2004-05');
  expect(monthChoices(lastMonth())).toHaveLength(36);
});
