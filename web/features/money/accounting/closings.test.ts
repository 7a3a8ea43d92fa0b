import { expect, test } from 'vitest';
import { type Closing, readState } from './closings-api.ts';

const closing = (id: string, more: Partial<Closing>): Closing => ({
  id,
  kind: 'close',
  closed_to: '2026-09-30',
  reason: null,
  status: 'in_force',
  requested_by: null,
  requested_at: '2026-10-10T10:00:00Z',
  decided_by: null,
  decided_at: null,
  requester: null,
  decider: null,
  ...more,
});

test('the closing date is that of the last one in force', () => {
  const closed = closing('1', {});
  const asked = closing('2', {
    kind: 'reopen',
    closed_to: null,
    status: 'asked',
    requested_at: '2026-10-12T10:00:00Z',
  });
  expect(readState([])).toEqual({ closedTo: null, asked: undefined, history: [] });
  expect(readState([asked, closed])).toMatchObject({ closedTo: '2026-09-30', asked: { id: '2' } });
  const reopened = { ...asked, status: 'in_force', decided_at: '2026-10-13T10:00:00Z' } as const;
  expect(readState([reopened, closed])).toMatchObject({ closedTo: null, asked: undefined });
  const again = closing('3', { closed_to: '2026-10-31', requested_at: '2026-11-03T10:00:00Z' });
  expect(readState([again, reopened, closed]).closedTo).toBe('2026-10-31');
});
