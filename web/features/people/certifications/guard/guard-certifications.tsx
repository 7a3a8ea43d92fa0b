import { differenceInCalendarDays } from 'date-fns';
import * as limits from '#shared/database.limits.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { PERSISTED } from '#web/lib/cache/query-client.ts';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { guardCertificationsKey } from '#web/lib/data/keys.ts';
import { formatDay, toDay, today } from '#web/lib/format/dates.ts';
import { ownRows } from '#web/lib/realtime/live-tables.ts';
import { useLiveQuery } from '#web/lib/realtime/use-live-table.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import type { Tone } from '#web/lib/vocabulary/statuses.ts';

/** The guard's certificates, the soonest to expire first. */
async function fetchGuardCertifications(userId: string) {
  const { data } = await supabase()
    .from('certifications')
    .select('id, certificate_number, issued_at, expires_at, course:training_courses!inner(title)')
    .eq('user_id', userId)
    .order('expires_at')
    .order('id')
    .throwOnError();
  return data;
}

export const useGuardCertifications = (userId: string) =>
  useLiveQuery(ownRows(userId, 'certifications'), guardCertificationsKey, {
    queryKey: [...guardCertificationsKey, userId],
    queryFn: () => fetchGuardCertifications(userId),
    meta: PERSISTED,
  });

function validityOf(expiresAt: string): { tone: Tone; label: string } {
  if (Date.parse(expiresAt) <= serverNow()) return { tone: 'red', label: 'Expired' };
  const days = differenceInCalendarDays(toDay(expiresAt), today());
  if (days > limits.EXPIRING_DAYS) return { tone: 'green', label: 'Valid' };
  if (days < 1) return { tone: 'orange', label: 'Expires today' };
  return { tone: 'orange', label: days === 1 ? 'Expires tomorrow' : `Expires in ${days} days` };
}

export function GuardCertifications({ userId }: { userId: string }) {
  return (
    <LoadedList
      title="My Certifications"
      level={1}
      query={useGuardCertifications(userId)}
      loadingText="Loading certifications..."
      emptyText="No certifications on record. Ask the office when one of yours is missing."
    >
      {({ id, course, certificate_number, issued_at, expires_at }) => {
        const { tone, label } = validityOf(expires_at);
        return (
          <li key={id} className="px-4 py-4 sm:px-5">
            <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
              <h2 className="min-w-0 font-semibold break-words">{course.title}</h2>
              <Badge tone={tone}>{label}</Badge>
            </div>
            <p className="mt-1">Expires {formatDay(toDay(expires_at))}</p>
            <p className="mt-0.5 text-sm text-muted">
              {[
                issued_at && `Issued ${formatDay(toDay(issued_at))}`,
                certificate_number && `No. ${certificate_number}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
          </li>
        );
      }}
    </LoadedList>
  );
}
