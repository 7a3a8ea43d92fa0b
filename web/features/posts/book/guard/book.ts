// The book of the post on the guard's phone: its lines, who is inside and which keys are out, readable without a signal, with
// what this phone has not sent yet.
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { POST_ENTRIES_KIND, VISITS_DOCUMENT_TYPE, VISITS_KIND } from '#shared/database.values.ts';
import { refetchEvery } from '#web/lib/cache/network-retry.ts';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardBookKey } from '#web/lib/data/keys.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { BOOK_KIND } from '#web/lib/outbox/kinds.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { visitorName } from '#web/lib/vocabulary/book.ts';

const text = z.string().nullable();

const lineSchema = z.object({
  /** entry, visit, key, or where else it was recorded. */
  source: z.string(),
  id: z.guid(),
  kind: z.string(),
  step: text,
  at: z.string(),
  words: text,
  author: text,
  is_own: z.boolean(),
  strike_reason: text,
});
const insideSchema = z.object({
  ...{ id: z.guid(), kind: z.string(), name: text, company: text, host: text, plate: text },
  ...{ badge: text, in_at: z.string() },
});
const keySchema = z.object({
  ...{ id: z.guid(), key_name: z.string(), taken_by: z.string(), due_at: text },
  out_at: z.string(),
});
const knownSchema = z.object({
  ...{ kind: z.string(), name: text, company: text, host: text, document_type: text, plate: text },
});
export type KnownVisitor = z.infer<typeof knownSchema>;
export type BookLine = z.infer<typeof lineSchema> & {
  /** Not sent yet. */
  isWaiting?: boolean;
};

async function fetchBook() {
  const { data } = await supabase().rpc('my_book', undefined, { get: true }).throwOnError();
  const [row] = data;
  // Not undefined, which is no data.
  if (!row) return null;
  return {
    ...row,
    lines: z.array(lineSchema).parse(row.lines),
    inside: z.array(insideSchema).parse(row.inside),
    keys: z.array(keySchema).parse(row.keys),
    known: z.array(knownSchema).parse(row.known),
  };
}
export type Book = Omit<NonNullable<Awaited<ReturnType<typeof fetchBook>>>, 'lines'> & {
  lines: BookLine[];
};

const place = { assignmentId: z.uuid() };

export const bookActionSchema = z.discriminatedUnion('action', [
  z.object({
    ...{ action: z.literal('write'), ...place, kind: z.enum(POST_ENTRIES_KIND), text },
  }),
  z.object({
    ...{ action: z.literal('enter'), ...place, kind: z.enum(VISITS_KIND), name: text },
    ...{ company: text, host: text, plate: text, badge: text },
    documentType: z.enum(VISITS_DOCUMENT_TYPE).nullable(),
  }),
  z.object({ action: z.literal('leave'), ...place, visitId: z.guid() }),
  z.object({
    ...{ action: z.literal('take'), ...place, keyName: z.string(), takenBy: z.string() },
    dueAt: text,
  }),
  z.object({ action: z.literal('return'), ...place, keyId: z.guid() }),
  z.object({
    ...{ action: z.literal('strike'), ...place, source: z.string(), lineId: z.guid() },
    reason: z.string(),
  }),
]);
export type BookAction = z.infer<typeof bookActionSchema>;

/** Colleagues' lines: phones don't listen to the book, because each line would be checked for each of 500 phones. */
const REFETCH_MS = 60_000;

type Waiting = { id: string; at: string; action: BookAction };

export const waitingActions = (entries: readonly OutboxEntry[], assignmentId: string): Waiting[] =>
  entries.flatMap(({ id, kind, payload, madeAt, offsetMs }) => {
    const { data: action } = kind === BOOK_KIND ? bookActionSchema.safeParse(payload) : {};
    if (action?.assignmentId !== assignmentId) return [];
    return [{ id, at: new Date(madeAt + (offsetMs ?? 0)).toISOString(), action }];
  });

/** The line of an action that waits. A strike has none: it marks the line that it strikes. */
function lineOf({ id, at, action }: Waiting, { inside, keys }: Book): BookLine | undefined {
  const own = { id, at, author: null, is_own: true, strike_reason: null, isWaiting: true };
  const line = (source: string, kind: string, step: string | null, words: string) => ({
    ...{ ...own, source, kind, step, words },
  });
  switch (action.action) {
    case 'write':
      return line('entry', action.kind, null, action.text ?? 'All quiet');
    case 'enter':
      return line(
        'visit',
        action.kind === 'person' ? 'visitor' : 'vehicle',
        'in',
        visitorName(action),
      );
    case 'leave': {
      const visit = inside.find((one) => one.id === action.visitId);
      const kind = visit?.kind === 'vehicle' ? 'vehicle' : 'visitor';
      return visit && { ...line('visit', kind, 'out', visitorName(visit)), id: visit.id };
    }
    case 'take':
      return line('key', 'key', 'out', `${action.keyName}, to ${action.takenBy}`);
    case 'return': {
      const key = keys.find((one) => one.id === action.keyId);
      return (
        key && {
          ...line('key', 'key', 'in', `${key.key_name}, from ${key.taken_by}`),
          id: key.id,
        }
      );
    }
    default:
      return undefined;
  }
}

const keyOfLine = ({ source, id, step }: BookLine) => `${source} ${id} ${step}`;

function apply(book: Book, waiting: Waiting): Book {
  const { id, at, action } = waiting;
  const added = lineOf(waiting, book);
  // The server may have stored it before this phone learned so.
  const isNew = added && !book.lines.some((line) => keyOfLine(line) === keyOfLine(added));
  const next = isNew ? { ...book, lines: [added, ...book.lines] } : book;
  switch (action.action) {
    case 'enter':
      if (!isNew) return next;
      return { ...next, inside: [{ ...action, id, in_at: at }, ...book.inside] };
    case 'leave':
      return { ...next, inside: book.inside.filter((one) => one.id !== action.visitId) };
    case 'take': {
      if (!isNew) return next;
      const { keyName: key_name, takenBy: taken_by, dueAt: due_at } = action;
      return { ...next, keys: [{ id, key_name, taken_by, due_at, out_at: at }, ...book.keys] };
    }
    case 'return':
      return { ...next, keys: book.keys.filter((one) => one.id !== action.keyId) };
    case 'strike':
      return {
        ...book,
        lines: book.lines.map((line) =>
          line.id === action.lineId ? { ...line, strike_reason: action.reason } : line,
        ),
        inside: book.inside.filter((one) => one.id !== action.lineId),
        keys: book.keys.filter((one) => one.id !== action.lineId),
      };
    default:
      return next;
  }
}

/** @returns the book with what waits on this phone, in the order in which it was pressed */
export const withWaiting = (book: Book, waiting: readonly Waiting[]): Book =>
  waiting.reduce(apply, book);

export type BookDuty = { assignmentId: string; siteName: string; timezone: string };

/** @param duty where the guard is on duty; the page of another shift is not shown */
export function useBook(userId: string, duty: BookDuty) {
  useLiveTable(ownRows(userId, 'attendance'), guardBookKey);
  const query = useQuery({
    queryKey: [...guardBookKey, userId],
    queryFn: fetchBook,
    refetchInterval: refetchEvery(REFETCH_MS),
    meta: PERSISTED,
  });
  const waiting = waitingActions(useOutbox().waiting, duty.assignmentId);
  const isOfDuty = query.data?.assignment_id === duty.assignmentId;
  const stored: Book =
    isOfDuty && query.data
      ? query.data
      : {
          ...{ assignment_id: duty.assignmentId, site_id: '', site_name: duty.siteName },
          ...{ timezone: duty.timezone, lines: [], inside: [], keys: [], known: [] },
        };
  return { query, isOfDuty, book: withWaiting(stored, waiting) };
}
