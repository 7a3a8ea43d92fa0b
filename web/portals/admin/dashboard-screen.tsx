import { Link } from '@tanstack/react-router';
import type { ScreenId } from '#shared/screens.ts';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { LoadFailureToast } from '#web/components/ui/use-load-failure.ts';
import {
  RecentIncidents,
  SeverityChart,
} from '#web/features/incidents/incidents/dashboard-cards.tsx';
import { useStart } from '#web/features/platform/dashboard/api.ts';
import { Coverage } from '#web/features/platform/dashboard/coverage.tsx';
import {
  FigureCards,
  type FigureId,
  LOAD_FAILURE,
} from '#web/features/platform/dashboard/figure-cards.tsx';
import {
  CompanyBlurb,
  CoverageChart,
  ExpiringCertifications,
} from '#web/features/platform/dashboard/panels.tsx';
import { WorkPanels } from '#web/features/platform/dashboard/work-panels.tsx';
import { BackupNotice } from '#web/features/platform/system/backup-notice.tsx';
import { formatLongDay, today } from '#web/lib/format/dates.ts';
import { Later } from '#web/lib/render/later.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { offers } from './navigation.ts';

const loadGuide = () => import('#web/features/platform/setup/setup-guide.tsx');
const SetupGuide = lazily(async () => (await loadGuide()).SetupGuide);
const SetupSummary = lazily(async () => (await loadGuide()).SetupSummary);

/** The list behind each figure. */
const LISTS: Record<FigureId, { screen: ScreenId; search: Record<string, string> }> = {
  todays_shifts: { screen: 'shifts', search: { day: 'today' } },
  active_incidents: { screen: 'incidents', search: { status: 'active' } },
  attendance_issues: { screen: 'attendance', search: { state: 'issues' } },
  expiring_certifications: { screen: 'certifications', search: { state: 'expiring' } },
  active_staff: { screen: 'staff', search: { status: 'active' } },
  active_sites: { screen: 'sites', search: {} },
};

const FAILURE_TOAST = { title: 'Error', text: LOAD_FAILURE };

const Place = () => <Spinner className="mx-auto my-10 text-muted" />;

/** What is wrong, waits and comes; in a company without shifts its setup takes their place. */
function StartPanels() {
  const setup = useStart().data?.setup;
  return (
    <>
      {/* A server of the release before does not know it. */}
      {Boolean(setup) && (
        <LazyPart fallback={<Place />}>
          {setup === 'first' ? <SetupGuide /> : <SetupSummary />}
        </LazyPart>
      )}
      {setup !== 'first' && (
        <>
          <Coverage />
          <WorkPanels hasCoverage />
        </>
      )}
    </>
  );
}

/** What there is to count and to read below the panels. */
function Figures() {
  const { roles } = useAuth();
  return (
    <>
      {/* Its answer comes last: above the panels it would push them down. */}
      {offers(roles, 'system') && (
        <BackupNotice
          action={
            <Link to="/admin/system" className={buttonStyles({ variant: 'secondary' })}>
              Open System
            </Link>
          }
        />
      )}
      <FigureCards
        linkOf={(id, props) => {
          const { screen, search } = LISTS[id];
          if (!offers(roles, screen)) return null;
          const path: string = `/admin/${screen}`;
          return <Link to={path} search={search} {...props} />;
        }}
      />
      {/* Below the fold; their requests don't share the line with the coverage. */}
      <Later>
        <div className="grid gap-4 lg:grid-cols-2">
          <RecentIncidents
            linkTo={(id, title) => (
              <Link
                to="/admin/incidents"
                search={{ open: id }}
                className="inline-flex min-h-11 items-center font-semibold underline-offset-4 [overflow-wrap:anywhere] hover:underline lg:pointer-fine:min-h-6"
              >
                {title}
              </Link>
            )}
          />
          <ExpiringCertifications />
        </div>
        <div className="grid gap-4 lg:grid-cols-2 xl:grid-cols-3">
          <CoverageChart />
          <SeverityChart />
          <CompanyBlurb />
        </div>
      </Later>
    </>
  );
}

export function DashboardScreen() {
  const isNew = useStart().data?.setup === 'first';
  return (
    <LoadFailureToast value={FAILURE_TOAST}>
      <ScreenHeading title="Dashboard" subtitle={formatLongDay(today())} />
      <div className="grid gap-4">
        <StartPanels />
        {!isNew && <Figures />}
      </div>
    </LoadFailureToast>
  );
}
