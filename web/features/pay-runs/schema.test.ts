import { expect, it } from 'vitest';
import { warningsOf } from './schema.ts';

const run = { period_end: '2026-11-30' };
const waiting = { code: 'hours_not_approved', text: 'Hours of Nov 1 to Nov 30 are not approved.' };

it('warns of locking a run before its period is over, and of timesheets that it does not pay', () => {
  expect(warningsOf(run, [], '2026-12-01')).toEqual({ isBeforeEnd: false, notApproved: 0 });
  expect(warningsOf(run, [], '2026-11-30')).toEqual({ isBeforeEnd: true, notApproved: 0 });
  const others = { code: 'no_account', text: 'The staff record has no user account.' };
  expect(warningsOf(run, [waiting, waiting, others], '2026-12-01').notApproved).toBe(2);
});
