import { queryClient } from '#web/lib/cache/query-client.ts';
import { guardAnnouncementsKey } from '#web/lib/data/keys.ts';
import { accepted } from '#web/lib/outbox/answers.ts';
import { parsePayload, type SendEntry } from '#web/lib/outbox/kinds.ts';
import { confirmationSchema } from './announcements.ts';

const TIMEOUT_MS = 20_000;

/** Idempotent: the server stores one confirmation for each version. */
export const sendConfirmation: SendEntry = async ({ payload }, { connection }) => {
  const { announcementId, version, readAt } = parsePayload(confirmationSchema, payload);
  accepted(
    await connection
      .rpc('confirm_announcement', {
        p_announcement_id: announcementId,
        p_version: version,
        p_read_at: readAt,
      })
      .abortSignal(AbortSignal.timeout(TIMEOUT_MS)),
  );
  // Before the outbox drops the entry, so that the announcement doesn't show as unread in between.
  await queryClient.invalidateQueries({ queryKey: guardAnnouncementsKey });
};
