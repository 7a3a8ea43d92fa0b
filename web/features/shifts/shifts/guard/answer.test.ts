import { expect, it } from 'vitest';
import { waitingEntry } from '#web/lib/outbox/entry.ts';
import { ANSWER_KIND } from '#web/lib/outbox/kinds.ts';
import { waitingAnswer } from './answer.ts';

const entry = (sequence: number, payload: unknown, kind = ANSWER_KIND) => ({
  ...waitingEntry({ id: String(sequence), userId: 'u', kind, title: '', payload }, 0, null),
  sequence,
});

it('shows the newest answer to a shift that waits to be sent', () => {
  const waiting = [
    entry(1, { assignmentId: 'a', answer: 'confirm', reason: null }),
    entry(2, { assignmentId: 'a', answer: 'undo', reason: null }),
    entry(3, { assignmentId: 'b', answer: 'decline', reason: 'Ill' }),
    entry(4, { assignmentId: 'c', answer: 'confirm' }, 'clock'),
    entry(5, null),
  ];
  expect(['a', 'b', 'c'].map((id) => waitingAnswer(waiting, id))).toEqual([
    'undo',
    'decline',
    undefined,
  ]);
});
