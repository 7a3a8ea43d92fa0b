import { queryClient } from '#web/lib/cache/query-client.ts';
import { guardShiftsKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { noticeSchema } from './duty-notice.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores an id once. */
export const sendNotice: SendEntry = async (entry, { connection }) => {
  const notice = parsePayload(noticeSchema, entry.payload);
  const request =
    'withdraws' in notice
      ? connection.rpc('withdraw_duty_notice', { p_id: notice.withdraws })
      : connection.rpc('report_duty_notice', {
          p_id: entry.id,
          p_assignment_id: notice.assignmentId,
          p_kind: notice.kind,
          p_reason: notice.reason,
          p_device_at: new Date(entry.madeAt).toISOString(),
          ...(notice.minutes !== null && { p_minutes: notice.minutes }),
          ...(entry.offsetMs !== null && { p_server_offset_ms: Math.round(entry.offsetMs) }),
        });
  accepted(await request.abortSignal(AbortSignal.timeout(TIMEOUT_MS)));
  // Before the outbox drops the entry, so that the card shows no older state in between.
  await queryClient.invalidateQueries({ queryKey: guardShiftsKey });
};
