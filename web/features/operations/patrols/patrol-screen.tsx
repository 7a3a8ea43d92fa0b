import { mayDo } from '#shared/permissions.ts';
import { DayFilter } from '#web/components/list/day-filter.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { SiteChoice } from '#web/components/list/site-choice.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useSiteOptions } from '#web/lib/data/lookups.ts';
import { today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { LooseScans, Rounds } from './rounds.tsx';
import type { PatrolSearch } from './search.ts';
import { SitePlan } from './site-plan.tsx';

type PatrolScreenProps = { search: PatrolSearch; onChange: ChangeSearch<PatrolSearch> };

export function PatrolScreen({ search, onChange }: PatrolScreenProps) {
  const { roles } = useAuth();
  const { data: sites = [] } = useSiteOptions();
  const site = sites.find((one) => one.id === search.site);
  return (
    <>
      <ScreenHeading
        title="Patrols"
        subtitle="Rounds through checkpoints, and what guards scanned. A missed round raises an alert."
      />
      <div className="mb-5 flex flex-wrap items-center gap-4">
        <SiteChoice
          value={search.site ?? ''}
          onChoose={(chosen) => onChange({ site: chosen })}
          empty="All sites"
        />
        <DayFilter
          label="Day"
          value={search.day ?? today()}
          onChange={(day) => onChange({ day })}
        />
      </div>
      <div className="grid gap-6">
        <Rounds day={search.day ?? today()} site={search.site} />
        <LooseScans day={search.day ?? today()} site={search.site} />
        {site ? (
          <SitePlan
            key={site.id}
            siteId={site.id}
            siteName={site.name}
            mayChange={mayDo(roles, 'tours', 'insert')}
          />
        ) : (
          <p className="text-muted">Choose a site to plan its checkpoints and tours.</p>
        )}
      </div>
    </>
  );
}
