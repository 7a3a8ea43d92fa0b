import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { guardAnnouncementsKey } from '#web/lib/data/keys.ts';
import { today } from '#web/lib/format/dates.ts';
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { ANNOUNCEMENT_KIND } from '#web/lib/outbox/kinds.ts';
import { deviceTime } from '#web/lib/outbox/outbox.ts';
import { type SubmitOutcome, submit } from '#web/lib/outbox/submit.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';

async function fetchAnnouncements() {
  const { data } = await supabase()
    .rpc('my_announcements', undefined, { get: true })
    .throwOnError();
  return data;
}

type Fetched = Awaited<ReturnType<typeof fetchAnnouncements>>[number];
export type Announcement = Fetched & { isRead: boolean };

export const confirmationSchema = z.object({
  announcementId: z.uuid(),
  version: z.number().int(),
  readAt: z.string(),
});

const keyOf = (id: string, version: number) => `${id} ${version}`;

function waitingConfirmations(waiting: readonly OutboxEntry[]): Set<string> {
  const confirmations = waiting.filter(({ kind }) => kind === ANNOUNCEMENT_KIND);
  return new Set(
    confirmations.flatMap(({ payload }) => {
      const { data } = confirmationSchema.safeParse(payload);
      return data ? [keyOf(data.announcementId, data.version)] : [];
    }),
  );
}

/** Unread ones that must be read come first, then the other unread ones. */
const rank = ({ isRead, must_read }: Announcement) => (isRead ? 2 : must_read ? 0 : 1);

/**
 * What the office has written to this user and still lasts. Its notices tell of each change: they come, follow the text, and go
 * with it.
 */
export function useAnnouncements(userId: string) {
  useLiveTable(ownRows(userId, 'notices', 'announcement_readings'), guardAnnouncementsKey);
  const query = useQuery({
    queryKey: [...guardAnnouncementsKey, userId],
    queryFn: fetchAnnouncements,
    meta: PERSISTED,
  });
  const { waiting } = useOutbox();
  const queued = waitingConfirmations(waiting);
  const announcements = (query.data ?? [])
    // Without a signal the phone has them longer.
    .filter(({ last_day }) => last_day >= today())
    .map((row) => ({
      ...row,
      isRead: row.read_at !== null || queued.has(keyOf(row.id, row.version)),
    }))
    .sort((one, two) => rank(one) - rank(two));
  return { query, announcements };
}

/** @throws OutboxFull */
export async function submitConfirmation(
  userId: string,
  { id, version, title }: Announcement,
): Promise<SubmitOutcome> {
  const { at, offsetMs } = await deviceTime();
  return submit({
    id: crypto.randomUUID(),
    userId,
    kind: ANNOUNCEMENT_KIND,
    title: `Announcement read, ${title}`,
    payload: {
      announcementId: id,
      version,
      readAt: new Date(at + (offsetMs ?? 0)).toISOString(),
    },
  });
}
