import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Coverage } from '#web/features/platform/dashboard/coverage.tsx';
import { WorkPanels } from '#web/features/platform/dashboard/work-panels.tsx';
import { formatLongDay, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { offers } from './navigation.ts';

/** The work of the roles whose sidebar has no dashboard. */
export function TodayScreen() {
  const { roles } = useAuth();
  const plans = offers(roles, 'operations');
  return (
    <>
      <ScreenHeading title="Today" subtitle={formatLongDay(today())} />
      <div className="grid gap-4">
        {plans && <Coverage />}
        <WorkPanels hasCoverage={plans} />
      </div>
    </>
  );
}
