import { expect, test } from 'vitest';
import { numberOfCode, spacedCode, tidyCode } from './code.ts';

/** As the database made it. */
const CODE = '07K3QX9V';

test('a code is read however it is typed', () => {
  const typed = ` ${spacedCode(CODE).toLowerCase().replaceAll('0', 'o')} `;
  expect(tidyCode(typed)).toBe(CODE);
  expect(numberOfCode(typed)).toBe(7);
});

test('every wrong character and every swap of neighbours is noticed', () => {
  for (let at = 0; at < CODE.length; at += 1) {
    for (const other of '0123456789ABCDEFGHJKMNPQRTVWXYZ') {
      if (other === CODE[at]) continue;
      expect(numberOfCode(CODE.slice(0, at) + other + CODE.slice(at + 1))).toBeUndefined();
    }
    const [first = '', second = ''] = CODE.slice(at);
    if (first === second || second === '') continue;
    const swapped = CODE.slice(0, at) + second + first + CODE.slice(at + 2);
    expect(numberOfCode(swapped)).toBeUndefined();
  }
});

test.each(['', '07', 'https://example.com', `${CODE}0`])('%j is no code', (text) => {
  expect(numberOfCode(text)).toBeUndefined();
});
