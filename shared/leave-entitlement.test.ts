import { describe, expect, it } from 'vitest';
import { annualLeaveDays, leaveBalance, leaveDays } from './leave-entitlement.ts';

const leave = (type: string, start_date: string, end_date: string, status = 'approved') => ({
  type,
  status,
  start_date,
  end_date,
});

describe('annual leave grows with service', () => {
  it.each([
    ['the day before 12 months', '2025-03-14', 0],
    ['12 months', '2025-03-15', 7],
    ['the day before 24 months', '2026-03-14', 7],
    ['24 months', '2026-03-15', 14],
    ['36 months', '2027-03-15', 21],
    ['48 months', '2028-03-15', 21],
    ['the day before 60 months', '2029-03-14', 21],
    ['60 months', '2029-03-15', 28],
    ['twenty years', '2044-03-15', 28],
    ['before the first day of work', '2024-01-01', 0],
  ])('%s', (_, on, days) => {
    expect(annualLeaveDays('2024-03-15', on)).toBe(days);
  });
});

describe('the balance of a person', () => {
  it('counts annual leave over the year of service, and only the days within it', () => {
    const taken = [
      leave('annual', '2026-03-10', '2026-03-16'),
      leave('annual', '2026-06-01', '2026-06-04'),
      leave('annual', '2027-03-14', '2027-03-20'),
      leave('annual', '2026-07-01', '2026-07-04', 'rejected'),
      leave('emergency', '2026-08-01', '2026-08-04'),
    ];
    expect(leaveBalance('annual', '2026-11-21', '2024-03-15', taken)).toMatchObject({
      entitled: 14,
      used: 2 + 4 + 1,
      left: 7,
      year: { start_date: '2026-03-15', end_date: '2027-03-14' },
    });
  });

  it('knows no annual leave without a hire date, and says nothing is left in the first year', () => {
    expect(leaveBalance('annual', '2026-11-21', null, [])).toMatchObject({
      entitled: null,
      left: null,
      year: null,
    });
    expect(leaveBalance('annual', '2026-11-21', '2026-05-01', [])?.left).toBe(0);
  });

  it.each([
    [
      'each day once',
      [leave('annual', '2026-12-07', '2026-12-09'), leave('annual', '2026-12-08', '2026-12-08')],
      { used: 3, requested: 0, left: 11 },
    ],
    [
      'no day of sickness',
      [leave('annual', '2026-12-07', '2026-12-09'), leave('sick', '2026-12-08', '2026-12-12')],
      { used: 1, requested: 0, left: 13 },
    ],
    [
      'sickness that nobody has approved as leave still',
      [
        leave('annual', '2026-12-07', '2026-12-09'),
        leave('sick', '2026-12-08', '2026-12-08', 'pending'),
      ],
      { used: 3, requested: 0, left: 11 },
    ],
    [
      'what is requested apart',
      [leave('annual', '2026-12-07', '2026-12-19', 'pending')],
      { used: 0, requested: 13, left: 14 },
    ],
  ])('counts %s', (_, requests, expected) => {
    expect(leaveBalance('annual', '2026-11-21', '2024-03-15', requests)).toMatchObject(expected);
  });

  it('takes the 29th of February for the 28th in other years', () => {
    expect(leaveBalance('annual', '2025-02-28', '2024-02-29', [])?.year).toEqual({
      start_date: '2025-02-28',
      end_date: '2026-02-27',
    });
  });

  it('gives 10 days of sick leave in a calendar year, and shows what went beyond', () => {
    const taken = [
      leave('sick', '2025-12-30', '2026-01-03'),
      leave('sick', '2026-02-01', '2026-02-09'),
    ];
    expect(leaveBalance('sick', '2026-11-21', null, taken)).toMatchObject({
      entitled: 10,
      used: 12,
      left: -2,
    });
  });

  it.each([
    ['maternity', 98],
    ['paternity', 5],
  ])('gives %s leave for each birth', (type, days) => {
    const earlier = leave(type, '2024-01-01', '2024-01-05');
    const balance = leaveBalance(type, '2026-11-21', null, [earlier]);
    expect(balance).toMatchObject({ entitled: days, used: 0, left: days });
  });

  it.each(['emergency', 'unpaid', 'bereavement'])('has no figure for %s leave', (type) => {
    expect(leaveBalance(type, '2026-11-21', '2020-01-01', [])).toBeUndefined();
  });
});

it('counts both ends of a period', () => {
  expect(leaveDays({ start_date: '2026-11-21', end_date: '2026-11-21' })).toBe(1);
  expect(leaveDays({ start_date: '2026-02-26', end_date: '2026-03-02' })).toBe(5);
});
