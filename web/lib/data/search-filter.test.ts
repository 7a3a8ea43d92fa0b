import { expect, test } from 'vitest';
import { searchPatterns } from './search-filter.ts';

test.each([
  ['', []],
  ['  ama  ', ['"*ama*"']],
  ['ama kollie', ['"*ama*"', '"*kollie*"']],
  ['José', ['"*jose*"']],
  ["O'Brien", ['"*obrien*"']],
  ["'", []],
  ['+231 77 011 1001', ['"*770111001*"']],
  ['50%', ['"*50\\\\%*"']],
  ['a_b', ['"*a\\\\_b*"']],
  ['x,y"', ['"*x,y\\"*"']],
  ['\\', ['"*\\\\\\\\*"']],
])('%j becomes %j', (text, patterns) => {
  expect(searchPatterns(text)).toEqual(patterns);
});
