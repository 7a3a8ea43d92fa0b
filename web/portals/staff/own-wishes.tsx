// Open shifts, notices and availability, one screen each.
import type { ReactNode } from 'react';
import { CalendarAddress } from '#web/features/notices/notices/calendar-address.tsx';
import { NoticesWithSettings } from '#web/features/notices/notices/own-notices.tsx';
import { AvailabilityList } from '#web/features/roster/availability/availability-list.tsx';
import { OpenShifts } from '#web/features/shifts/shifts/guard/open-shifts-screen.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { useAuth } from '#web/lib/session/auth.ts';

function Screen({ title, children }: { title: string; children: ReactNode }) {
  const { user } = useAuth();
  usePageTitle(title);
  return user && <div className="grid max-w-4xl grid-cols-1 gap-6">{children}</div>;
}

export const OpenShiftsScreen = () => (
  <Screen title="Open shifts">
    <OpenShifts />
  </Screen>
);

export const NoticesScreen = () => (
  <Screen title="Notices">
    <NoticesWithSettings level={1} />
  </Screen>
);

export const AvailabilityScreen = () => (
  <Screen title="Availability">
    <AvailabilityList />
  </Screen>
);

export const CalendarScreen = () => (
  <Screen title="Calendar">
    <CalendarAddress />
  </Screen>
);
