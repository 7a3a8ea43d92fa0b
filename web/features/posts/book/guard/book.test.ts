import { describe, expect, it } from 'vitest';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { type Book, type BookAction, waitingActions, withWaiting } from './book.ts';

const SHIFT = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6a';
const OTHER = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6b';
const VISIT = '0197a3a0-7c3e-7b52-9d4b-1f2e3d4c5b6c';
const AT = '2026-11-30T12:00:00.000Z';

const BOOK: Book = {
  ...{ assignment_id: SHIFT, site_id: OTHER, site_name: 'Gate', timezone: 'UTC' },
  ...{ lines: [], inside: [], keys: [], known: [] },
};
const enter: BookAction = {
  ...{ action: 'enter', assignmentId: SHIFT, kind: 'person', name: 'Mary', company: null },
  ...{ host: null, plate: null, badge: null, documentType: null },
};
const entry = (id: string, payload: BookAction): OutboxEntry => ({
  ...{ id, userId: SHIFT, kind: 'book', title: 'Book', payload, sequence: 1 },
  // Ten minutes slow.
  ...{ madeAt: Date.parse(AT) - 600_000, offsetMs: 600_000 },
  ...{ state: 'waiting', reason: null, attempts: 0 },
});
const pageAfter = (...entries: OutboxEntry[]) => withWaiting(BOOK, waitingActions(entries, SHIFT));

describe('what waits on the phone', () => {
  it('is in the page at its corrected time, for its own shift alone', () => {
    const { lines, inside } = pageAfter(
      entry(VISIT, enter),
      entry(OTHER, { ...enter, assignmentId: OTHER }),
    );
    expect(lines).toMatchObject([{ id: VISIT, kind: 'visitor', step: 'in', at: AT }]);
    expect(inside).toMatchObject([{ id: VISIT, name: 'Mary', in_at: AT }]);
  });

  it('may leave again before it was sent', () => {
    const leave: BookAction = { action: 'leave', assignmentId: SHIFT, visitId: VISIT };
    const { lines, inside } = pageAfter(entry(VISIT, enter), entry(OTHER, leave));
    expect(lines.map(({ step }) => step)).toEqual(['out', 'in']);
    expect(inside).toEqual([]);
  });

  it('is one line while the server has it and the phone does not know', () => {
    const stored = pageAfter(entry(VISIT, enter));
    const again = withWaiting(stored, waitingActions([entry(VISIT, enter)], SHIFT));
    expect(again.lines).toHaveLength(1);
    expect(again.inside).toHaveLength(1);
  });

  it('strikes a line, and who was inside by it is not', () => {
    const strike: BookAction = {
      ...{ action: 'strike', assignmentId: SHIFT, source: 'visit', lineId: VISIT },
      reason: 'Not let in',
    };
    const { lines, inside } = pageAfter(entry(VISIT, enter), entry(OTHER, strike));
    expect(lines).toMatchObject([{ strike_reason: 'Not let in' }]);
    expect(inside).toEqual([]);
  });
});
