import { expect, test } from 'vitest';
import { readHire } from './hire-import.ts';

const COURSES = [{ id: 'c1', title: 'Unarmed Guard' }];
const row = (more: Record<string, string> = {}) => ({
  'Full Name': 'Moses Kollie',
  Phone: '0770 123 456',
  'Salary (USD)': '$180',
  ...more,
});

test('a row with a name, a phone number and a salary is a guard, hired today and paid monthly', () => {
  expect(readHire(row(), COURSES)).toMatchObject({
    form: {
      role: 'guard',
      phone: '0770 123 456',
      salary_amount: '180',
      payment_frequency: 'monthly',
    },
  });
});

test('roles are read by their label, certificates by course and last day', () => {
  const cells = row({
    Role: 'operations manager',
    Certificates: 'unarmed guard until 2028-01-31;',
  });
  expect(readHire(cells, COURSES)).toMatchObject({
    form: { role: 'ops_manager', certificates: [{ course_id: 'c1', expires: '2028-01-31' }] },
  });
});

test.each([
  ['no address', { Phone: '' }, 'Enter a phone number or an email address'],
  ['a wrong number', { Phone: '12' }, 'Invalid phone number'],
  ['an unknown role', { Role: 'King' }, 'There is no role "King"'],
  ['an unknown course', { Certificates: 'Karate until 2028-01-31' }, 'There is no course "Karate"'],
  [
    'a certificate without a day',
    { Certificates: 'Karate' },
    '"Karate" is not like: Course until 2028-01-31',
  ],
  [
    'a certificate until no day',
    { Certificates: 'Unarmed Guard until 2026-02-30' },
    '"2026-02-30" is not a day',
  ],
  ['another date format', { 'Hire Date': '21.11.2026' }, 'Hire date must be like 2026-11-21'],
  ['an impossible day', { 'Hire Date': '2026-02-30' }, 'Hire date must be like 2026-11-21'],
  ['a decimal comma', { 'Salary (USD)': '12,50' }, 'Salary must be an amount such as 1,250.00'],
])('a row with %s is refused with the reason', (_what, change, problem) => {
  expect(readHire(row(change), COURSES)).toEqual({ problem });
});
