// My Certifications: what one holds, and when it runs out.
import { differenceInCalendarDays } from 'date-fns';
import { Badge, type BadgeTone } from '#web/components/ui/badge.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { dayOf, formatDay } from '#web/lib/format/dates.ts';
import { useMyCertifications } from '../api/list-my-certifications.ts';

/** Specification, section 9: the expiring window. */
const SOON_DAYS = 30;

/** @param expiresAt ISO 8601 with offset @returns how long a certificate is still good, in words and colour */
function validityOf(expiresAt: string): { tone: BadgeTone; words: string } {
  if (Date.parse(expiresAt) <= Date.now()) return { tone: 'red', words: 'Expired' };
  const days = differenceInCalendarDays(dayOf(expiresAt), dayOf(new Date().toISOString()));
  if (days > SOON_DAYS) return { tone: 'green', words: 'Valid' };
  if (days < 1) return { tone: 'orange', words: 'Expires today' };
  return { tone: 'orange', words: days === 1 ? 'Expires tomorrow' : `Expires in ${days} days` };
}

export function MyCertifications({ userId }: { userId: string }) {
  return (
    <LoadedCard
      title="My Certifications"
      level={1}
      query={useMyCertifications(userId)}
      loadingText="Loading certifications..."
      isEmpty={(certificates) => certificates.length === 0}
      emptyText="No certifications on record. Ask the office when one of yours is missing."
    >
      {(certificates) => (
        <ul aria-label="My Certifications" className="divide-y divide-line">
          {certificates.map(({ id, course, certificate_number, issued_at, expires_at }) => {
            const { tone, words } = validityOf(expires_at);
            return (
              <li key={id} className="px-4 py-4 sm:px-5">
                <div className="flex items-start justify-between gap-3">
                  <h2 className="min-w-0 font-semibold break-words">{course.title}</h2>
                  <Badge tone={tone}>{words}</Badge>
                </div>
                <p className="mt-1">Expires {formatDay(dayOf(expires_at))}</p>
                <p className="mt-0.5 text-sm text-muted">
                  {[
                    issued_at && `Issued ${formatDay(dayOf(issued_at))}`,
                    certificate_number && `No. ${certificate_number}`,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </li>
            );
          })}
        </ul>
      )}
    </LoadedCard>
  );
}
