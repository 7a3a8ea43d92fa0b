import { Phone } from 'lucide-react';
import { formatPhone } from '#shared/phone.ts';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { LoadedList } from '#web/components/ui/loaded-card.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { ITEM, SectionRow } from '#web/components/ui/section-row.tsx';
import { formatDayShort, toDay } from '#web/lib/format/dates.ts';
import { LATELY_DAYS, useRegulars } from './site-week-api.ts';

/** Guards who can be asked about the site, or sent there without an induction. */
export function SitePeople({ siteId }: { siteId: string }) {
  return (
    <LoadedList
      title="People Who Know It"
      query={useRegulars(siteId)}
      loadingText="Loading people..."
      emptyText={`Nobody worked here in the last ${LATELY_DAYS} days.`}
    >
      {({ id, name, phone, duties, last }) => (
        <li key={id} className={`${ITEM} items-center`}>
          <SectionRow
            title={<PersonLink id={id} name={name} />}
            detail={`${duties} ${duties === 1 ? 'shift' : 'shifts'} in ${LATELY_DAYS} days, last on ${formatDayShort(toDay(last))}`}
            badge={
              phone && (
                <a
                  href={`tel:${phone}`}
                  title={formatPhone(phone)}
                  aria-label={`Call ${name}, ${formatPhone(phone)}`}
                  className={buttonStyles({
                    variant: 'secondary',
                    size: 'icon',
                    className: 'shrink-0',
                  })}
                >
                  <Phone aria-hidden="true" className="size-4.5" />
                </a>
              )
            }
          />
        </li>
      )}
    </LoadedList>
  );
}
