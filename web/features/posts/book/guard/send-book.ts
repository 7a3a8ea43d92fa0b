import { queryClient } from '#web/lib/cache/query-client.ts';
import { guardBookKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { deviceTimes } from '#web/lib/outbox/device-times.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import type { Client } from '#web/lib/supabase/client.ts';
import { type BookAction, bookActionSchema } from './book.ts';

const TIMEOUT_MS = 20_000;

type Sent = Pick<OutboxEntry, 'id' | 'madeAt' | 'offsetMs'> & { connection: Client };

function request({ id, madeAt, offsetMs, connection }: Sent, action: BookAction) {
  const times = {
    p_assignment_id: action.assignmentId,
    ...deviceTimes(madeAt, offsetMs),
  };
  switch (action.action) {
    case 'write':
      return connection.rpc('write_entry', {
        ...{ p_id: id, p_kind: action.kind, ...times },
        ...(action.text !== null && { p_text: action.text }),
      });
    case 'enter':
      return connection.rpc('sign_in_visitor', {
        ...{ p_id: id, p_kind: action.kind, ...times },
        ...(action.name !== null && { p_name: action.name }),
        ...(action.company !== null && { p_company: action.company }),
        ...(action.host !== null && { p_host: action.host }),
        ...(action.documentType !== null && { p_document_type: action.documentType }),
        ...(action.plate !== null && { p_plate: action.plate }),
        ...(action.badge !== null && { p_badge: action.badge }),
      });
    case 'leave':
      return connection.rpc('sign_out_visitor', { p_visit_id: action.visitId, ...times });
    case 'take':
      return connection.rpc('sign_out_key', {
        ...{ p_id: id, p_key_name: action.keyName, p_taken_by: action.takenBy, ...times },
        ...(action.dueAt !== null && { p_due_at: action.dueAt }),
      });
    case 'return':
      return connection.rpc('return_key', { p_movement_id: action.keyId, ...times });
    default:
      return connection.rpc('strike_line', {
        ...{ p_source: action.source, p_id: action.lineId, p_reason: action.reason },
      });
  }
}

/** Idempotent: the server stores an id once, and each "out" or "back" once. */
export const sendBook: SendEntry = async ({ id, payload, madeAt, offsetMs }, { connection }) => {
  const action = parsePayload(bookActionSchema, payload);
  const sent = request({ id, madeAt, offsetMs, connection }, action);
  accepted(await sent.abortSignal(AbortSignal.timeout(TIMEOUT_MS)));
  // Before the outbox drops the entry, so that the page shows no older state in between.
  await queryClient.invalidateQueries({ queryKey: guardBookKey });
};
