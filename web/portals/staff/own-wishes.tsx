// Open shifts, announcements, notices and availability, one screen each.
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { OwnAnnouncements } from '#web/features/notices/announcements/guard/own-announcements.tsx';
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

const announcementsRoute = getRouteApi('/staff/announcements');

/** The open one is in the address, for its notice. */
export function AnnouncementsScreen() {
  const { user } = useAuth();
  const { open } = announcementsRoute.useSearch();
  const navigate = announcementsRoute.useNavigate();
  return (
    <Screen title="Announcements">
      {user && (
        <OwnAnnouncements
          userId={user.id}
          open={open}
          onOpen={(id) =>
            void navigate({ search: id === undefined ? {} : { open: id }, resetScroll: false })
          }
        />
      )}
    </Screen>
  );
}

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
