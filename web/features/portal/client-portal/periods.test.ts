import { expect, it } from 'vitest';
import {
  findDays,
  type Period,
  type StatementPeriod,
  shareCovered,
  statementDays,
} from './periods.ts';

it.each<[Period, string, string, string]>([
  ['week', '2031-03-05', '2031-03-03', '2031-03-05'],
  ['week', '2031-03-03', '2031-03-03', '2031-03-03'],
  ['week', '2031-03-02', '2031-02-24', '2031-03-02'],
  ['last-week', '2031-03-05', '2031-02-24', '2031-03-02'],
  ['month', '2031-03-05', '2031-03-01', '2031-03-05'],
  ['last-month', '2031-03-31', '2031-02-01', '2031-02-28'],
  ['last-month', '2031-01-15', '2030-12-01', '2030-12-31'],
])('%s of %s is %s to %s', (period, today, from, to) => {
  expect(findDays(period, today)).toEqual({ from, to });
});

it.each([
  [6000, 0, '100.0 %'],
  [6000, 1, '99.9 %'],
  [6000, 6000, '0.0 %'],
  [0, 0, '-'],
])('of %d minutes with %d uncovered, %s are covered', (required, uncovered, share) => {
  expect(shareCovered(required, uncovered)).toBe(share);
});

it.each<[StatementPeriod, string, string, string]>([
  ['quarter', '2031-03-31', '2031-01-01', '2031-03-31'],
  ['quarter', '2031-01-15', '2030-11-01', '2031-01-15'],
  ['year', '2031-03-05', '2031-01-01', '2031-03-05'],
  ['last-year', '2031-03-05', '2030-01-01', '2030-12-31'],
])('the statement of %s on %s is from %s to %s', (period, today, from, to) => {
  expect(statementDays(period, today)).toEqual({ from, to });
});
