import { Navigate } from '@tanstack/react-router';
import { lazy } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { ShiftPlanner } from '#web/features/shifts/shifts/shift-planner.tsx';
import type { ShiftSearch } from '#web/features/shifts/shifts/shift-search.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

const ReplacementPanel = lazy(async () => ({
  default: (await import('#web/features/offers/replacements/replacement-panel.tsx'))
    .ReplacementPanel,
}));

type ShiftsScreenProps = { search: ShiftSearch; onChange: ChangeSearch<ShiftSearch> };

const replacement = (shiftId: string) => (
  <LazyPart fallback={<Loading />}>
    <ReplacementPanel shiftId={shiftId} />
  </LazyPart>
);

export function ShiftsScreen(props: ShiftsScreenProps) {
  // Notices from before the requests had a screen of their own lead here.
  if (props.search.requests === 'open') return <Navigate to="/admin/roster/requests" replace />;
  return <ShiftPlanner {...props} replacement={replacement} />;
}
