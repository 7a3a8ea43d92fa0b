// A guard's answer to a shift, through the outbox: it works without a signal.

import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { ANSWER_KIND } from '#web/lib/outbox/kinds.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';
import type { GuardShift } from './api.ts';

export type Answer = 'confirm' | 'decline' | 'undo';

const TITLES: Record<Answer, string> = {
  confirm: 'Confirm shift',
  decline: 'Decline shift',
  undo: 'Undo confirmation',
};

/** @param reason of a decline @throws the reason of a refusal */
export async function submitAnswer(
  userId: string,
  { id, shift }: GuardShift,
  answer: Answer,
  reason: string | null = null,
): Promise<SubmitOutcome> {
  return submitForm({
    id: crypto.randomUUID(),
    userId,
    kind: ANSWER_KIND,
    title: `${TITLES[answer]}, ${shift.site.name}`,
    payload: { assignmentId: id, answer, reason },
  });
}

/** @returns the newest answer to the assignment that waits to be sent */
export function waitingAnswer(
  waiting: readonly OutboxEntry[],
  assignmentId: string,
): Answer | undefined {
  for (const { kind, payload } of [...waiting].reverse()) {
    if (kind !== ANSWER_KIND || typeof payload !== 'object' || payload === null) continue;
    if (!('assignmentId' in payload) || payload.assignmentId !== assignmentId) continue;
    if (!('answer' in payload)) continue;
    const { answer } = payload;
    if (answer === 'confirm' || answer === 'decline' || answer === 'undo') return answer;
  }
  return undefined;
}
