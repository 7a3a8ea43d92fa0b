import { BOOK_KIND } from '#web/lib/outbox/kinds.ts';
import { type SubmitOutcome, submitForm } from '#web/lib/outbox/submit.ts';
import { LINE_KIND_LABELS } from '#web/lib/vocabulary/book.ts';
import type { BookAction, BookDuty } from './book.ts';

/** What waits is named for the list of waiting entries. */
function titleOf(action: BookAction): string {
  switch (action.action) {
    case 'write':
      return `Book, ${LINE_KIND_LABELS[action.kind]}`;
    case 'enter':
      return action.kind === 'person' ? 'Visitor in' : 'Vehicle in';
    case 'leave':
      return 'Visitor out';
    case 'take':
      return 'Key out';
    case 'return':
      return 'Key back';
    default:
      return 'Line struck through';
  }
}

type Unplaced<Action> = Action extends unknown ? Omit<Action, 'assignmentId'> : never;

export type BookPress = Unplaced<BookAction>;

/** Stores it on the phone, and sends it as soon as it can. @throws the reason of a refusal */
export function submitToBook(
  userId: string,
  { assignmentId, siteName }: BookDuty,
  press: BookPress,
): Promise<SubmitOutcome> {
  const action: BookAction = { ...press, assignmentId };
  return submitForm({
    id: crypto.randomUUID(),
    userId,
    kind: BOOK_KIND,
    title: `${titleOf(action)}, ${siteName}`,
    payload: action,
  });
}
