import { expect, it } from 'vitest';
import { listWarnings, oldRateNote } from './schema.ts';

const run = { period_end: '2026-11-30' };
const waiting = { code: 'hours_not_approved', text: 'Hours of Nov 1 to Nov 30 are not approved.' };

it('warns of locking a run before its period is over, and of timesheets that it does not pay', () => {
  expect(listWarnings(run, [], '2026-12-01')).toEqual({ isBeforeEnd: false, notApproved: 0 });
  expect(listWarnings(run, [], '2026-11-30')).toEqual({ isBeforeEnd: true, notApproved: 0 });
  const others = { code: 'no_account', text: 'The staff record has no user account.' };
  expect(listWarnings(run, [waiting, waiting, others], '2026-12-01').notApproved).toBe(2);
});

it('names an exchange rate of more than a month before the end of the period until the run is locked', () => {
  const run = {
    status: 'calculated',
    lrd_per_usd: 184,
    rate_date: '2026-08-31',
    period_end: '2026-10-31',
  } as const;
  expect(oldRateNote(run)).toMatch(/^L\$184 per US\$ is from Aug 31, 2026, 61 days before/);
  expect(oldRateNote({ ...run, rate_date: '2026-09-30' })).toBeUndefined();
  expect(oldRateNote({ ...run, status: 'locked' })).toBeUndefined();
});
