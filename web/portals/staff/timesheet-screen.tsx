import { getRouteApi } from '@tanstack/react-router';
import { OwnTimesheet } from '#web/features/time/timesheets/guard/own-timesheet.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';

const route = getRouteApi('/staff/timesheet');

export function TimesheetScreen() {
  const { user } = useAuth();
  const { from } = route.useSearch();
  const navigate = route.useNavigate();
  usePageTitle('My Timesheet');
  if (!user) return null;
  return (
    <div className="max-w-4xl">
      <OwnTimesheet
        userId={user.id}
        from={from}
        onFrom={(next) => void navigate({ search: { from: next } })}
      />
    </div>
  );
}
