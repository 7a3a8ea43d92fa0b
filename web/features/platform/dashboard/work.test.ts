import { expect, it } from 'vitest';
import { rowsOf } from './work.ts';

const one = (item: string, amount = 1, urgent = 0) => ({ item, amount, urgent });

it('shows what waits in the order of the panel, whatever the order of the answer', () => {
  const work = [one('draft invoices of a newer server'), one('leave', 3), one('requests', 2)];
  expect(rowsOf('waiting', work, '2026-11-30').map(({ item }) => item)).toEqual([
    'requests',
    'leave',
  ]);
});

it('leaves out what is done, and the work of other panels', () => {
  const work = [one('leave', 0), one('alerts'), one('on_leave')];
  expect(rowsOf('waiting', work, '2026-11-30')).toEqual([]);
  expect(rowsOf('wrong', work, '2026-11-30')).toHaveLength(1);
});

it('names a single one, and several', () => {
  const labelsOf = (amount: number) =>
    rowsOf('next', [one('leaving', amount), one('on_leave', amount)], '2026-11-30').map(
      ({ label }) => label,
    );
  expect(labelsOf(1)).toEqual(['On leave within 7 days', 'Person who leaves']);
  expect(labelsOf(2)).toEqual(['On leave within 7 days', 'People who leave']);
});

it('says what is urgent only where something is', () => {
  const hintOf = (urgent: number) =>
    rowsOf('waiting', [one('leave', 5, urgent)], '2026-11-30')[0]?.hint;
  expect(hintOf(2)).toBe('2 within 3 days');
  expect(hintOf(0)).toBeUndefined();
});

it('opens the list of the days that were counted', () => {
  const searchOf = (part: 'waiting' | 'next', item: string) =>
    rowsOf(part, [one(item)], '2027-01-01')[0]?.search;
  expect(searchOf('waiting', 'timesheets_before')).toEqual({ day: '2026-12-01' });
  expect(searchOf('next', 'on_leave')).toEqual({
    status: 'approved',
    from: '2027-01-01',
    to: '2027-01-07',
  });
});
