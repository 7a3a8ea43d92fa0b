import { Link } from '@tanstack/react-router';
import { Badge } from '#web/components/ui/badge.tsx';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { ITEM, MORE_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import { formatTime, today } from '#web/lib/format/dates.ts';
import { describeRound, useRounds } from './api.ts';

/** The rounds of today at a site. */
export function SiteRounds({ siteId }: { siteId: string }) {
  return (
    <LoadedList
      title="Patrols Today"
      query={useRounds(today(), siteId)}
      loadingText="Loading patrols..."
      emptyText="No round is planned today."
      more={
        <Link to="/admin/roster/posts/patrols" search={{ site: siteId }} className={MORE_LINK}>
          Patrols
        </Link>
      }
    >
      {(round) => {
        const [label, tone] = describeRound(round);
        const guards = [...new Set(round.scans.map(({ guard }) => guard))];
        return (
          <li key={`${round.tour_id} ${round.due_at}`} className={ITEM}>
            <SectionRow
              title={`${formatTime(round.due_at, round.timezone)}, ${round.name}`}
              detail={guards.join(', ')}
              badge={<Badge tone={tone}>{label}</Badge>}
            />
          </li>
        );
      }}
    </LoadedList>
  );
}
