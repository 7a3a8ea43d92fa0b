// /admin/shifts: Shifts Management.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { mayDo } from '#shared/permissions.ts';
import { ShiftPlanner } from '#web/features/shifts/shift-planner.tsx';
import type { ShiftSearch } from '#web/features/shifts/shift-schema.ts';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';

const route = getRouteApi('/admin/shifts');

export function ShiftsScreen() {
  usePageTitle('Shifts');
  const { roles } = useAuth();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: Partial<ShiftSearch>) =>
      navigate({
        search: (now) => ({ ...now, ...next }),
        // Back closes what was opened and leaves a day; typing a search leaves no trail of letters.
        replace: !(next.open || next.day || 'view' in next),
        resetScroll: next.page !== undefined || 'view' in next,
      }),
    [navigate],
  );
  return (
    <ShiftPlanner search={search} onChange={change} mayDelete={mayDo(roles, 'shifts', 'delete')} />
  );
}
