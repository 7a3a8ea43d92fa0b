import { expect, test } from 'vitest';
import { findTests } from './test-words.mjs';

const PAYROLL = 'tests/rules/pay/payroll.test.ts';

test('a path chooses one file, with all its tests', () => {
  expect(findTests([PAYROLL])).toEqual({
    vitest: [PAYROLL],
    journeys: [],
    title: undefined,
    searched: [],
  });
  expect(findTests([`./${PAYROLL}`]).vitest).toEqual([PAYROLL]);
});

test('several paths choose several files, and part of a path all that have it', () => {
  const { vitest, journeys } = findTests(['rules/pay/PAYROLL', 'e2e/account/session']);
  expect(vitest).toEqual([PAYROLL]);
  expect(journeys).toEqual(['tests/e2e/account/session.spec.ts']);
});

test('other words are looked for in titles, in any case and order', () => {
  const { vitest, title, searched } = findTests(['all that HAVE it', 'Several Paths choose']);
  expect(vitest).toEqual(['scripts/test-words.test.ts']);
  expect(searched).toHaveLength(2);
  const pattern = new RegExp(title ?? '');
  expect('several paths choose several files, and part of a path all that have it').toMatch(
    pattern,
  );
  expect('several paths choose several files').not.toMatch(pattern);
});

test('a title is also found in the modules of a file, in the folder with its name', () => {
  const [file] = findTests(['backend/tests/rest/shop', 'items?id=eq.3&select=id,price,box']).vitest;
  expect(file).toBe('backend/tests/rest/shop.test.ts');
});

test('finds nothing where no path and no text has the words', () => {
  const missing = ['no such', 'words'].join(' + ');
  expect(findTests([missing])).toMatchObject({ vitest: [], journeys: [], searched: [missing] });
});
