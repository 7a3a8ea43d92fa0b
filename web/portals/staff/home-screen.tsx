// /staff: whether one is clocked in, what one may do, and what is coming up.
import { usePrefetchQuery } from '@tanstack/react-query';
import { mayEnterPortal } from '#shared/permissions.ts';
import { DutyCard } from '#web/features/clock/duty-card.tsx';
import { RecentIncidentsCard } from '#web/features/incidents/guard/recent-incidents-card.tsx';
import { siteChoicesQuery } from '#web/features/incidents/guard/site-choices.ts';
import { GuardShiftsCard } from '#web/features/shifts/guard/guard-shifts-card.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { Later } from '#web/lib/render/later.tsx';
import { useAuth } from '#web/lib/session/auth-context.ts';
import { ActionCards } from './action-cards.tsx';
import { InstallCard } from './install-card.tsx';
import { WayOn } from './way-on.tsx';

export function HomeScreen() {
  const { user, roles } = useAuth();
  usePageTitle('Staff Portal');
  // An incident can be reported where there is no signal.
  usePrefetchQuery(siteChoicesQuery);
  if (!user) return null;
  return (
    <>
      <h1 className="mb-6 font-display text-3xl leading-tight sm:text-4xl">Staff Portal</h1>
      <DutyCard userId={user.id} />
      <ActionCards />
      <div className="mt-6 grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <GuardShiftsCard userId={user.id} />
        <Later>
          <RecentIncidentsCard />
        </Later>
      </div>
      <Later>
        <nav aria-label="Other portals" className="mt-8">
          <ul className="grid gap-4 sm:grid-cols-2">
            <WayOn
              to="/deployments"
              title="Guard Deployment Tracker"
              text="See who is deployed where, and add or remove deployments."
            />
            {mayEnterPortal(roles) && (
              <WayOn to="/admin" title="Admin Portal" text="Manage the company's operations." />
            )}
          </ul>
        </nav>
        <InstallCard />
      </Later>
    </>
  );
}
