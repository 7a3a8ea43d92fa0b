import { Link } from '@tanstack/react-router';
import { Badge } from '#web/components/ui/badge.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { ITEM, MORE_LINK, SectionRow } from '#web/components/ui/section-row.tsx';
import { serverNow } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { useOpenBook } from './book-api.ts';
import { isOverdue } from './overdue-keys.ts';

/** Who is inside and which keys are out, on the site's page, with the way to the book. */
export function SiteBook({ siteId }: { siteId: string }) {
  const now = useServerNow() ?? serverNow();
  return (
    <LoadedCard
      title="Book of the Post"
      query={useOpenBook(siteId)}
      loadingText="Loading the book..."
      more={
        <Link to="/admin/sites/$id/book" params={{ id: siteId }} className={MORE_LINK}>
          Open book
        </Link>
      }
    >
      {({ visits, keys }) => {
        const late = keys.filter((key) => isOverdue(key, now)).length;
        return (
          <ul aria-label="Book of the Post" className="divide-y divide-line">
            <li className={ITEM}>
              <SectionRow title="Inside now" badge={<Count of={visits.length} />} />
            </li>
            <li className={ITEM}>
              <SectionRow
                title="Keys out"
                detail={late > 0 && <Badge tone="red">{late} overdue</Badge>}
                badge={<Count of={keys.length} />}
              />
            </li>
          </ul>
        );
      }}
    </LoadedCard>
  );
}

const Count = ({ of }: { of: number }) => <span className="font-semibold tabular-nums">{of}</span>;
