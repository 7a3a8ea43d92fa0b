import { expect, it } from 'vitest';
import { mayReview } from './schema.ts';

const report = { severity: 'high', raised_by_user_id: 'guard', entered_by: null } as const;

it('a high or critical report is reviewed by somebody else than its author', () => {
  expect(mayReview(report, 'guard')).toBe(false);
  expect(mayReview({ ...report, severity: 'critical', entered_by: 'clerk' }, 'clerk')).toBe(false);
  expect(mayReview(report, 'supervisor')).toBe(true);
});

it('a smaller one also by its author, as in the database', () => {
  expect(mayReview({ ...report, severity: 'medium' }, 'guard')).toBe(true);
});
