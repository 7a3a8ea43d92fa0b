import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { ChevronRight, CloudUpload, TriangleAlert, WifiOff } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Main } from '#web/components/layout/screen.tsx';
import { TopBar } from '#web/components/layout/top-bar.tsx';
import { useScreenFocus } from '#web/components/layout/use-screen-focus.ts';
import { waitingSince } from '#web/components/outbox/unsent.ts';
import { Loading } from '#web/components/ui/loading.tsx';
import { NoticeBell } from '#web/features/notices/notices/notice-bell.tsx';
import { SignOutButton } from '#web/features/rights/auth/sign-out-button.tsx';
import { deviceNow } from '#web/lib/clock/server-now.ts';
import { MAX_WAIT_MS, type OutboxEntry } from '#web/lib/outbox/entry.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { firstPaint } from '#web/lib/render/first-paint.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { profileQuery } from '#web/lib/session/session-queries.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';
import { useOnline } from '#web/lib/supabase/online.ts';
import { loadSenders, registerKinds } from './outbox-kinds.ts';
import { PortalNav } from './portal-nav.tsx';

export function OfflineBar() {
  const isOnline = useOnline();
  return (
    <div role="status" className="print:hidden">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2.5 border-b border-line bg-sunken px-4 py-2 text-sm">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          No connection. Showing the last loaded data.
        </p>
      )}
    </div>
  );
}

/** @returns whether entries wait for more than their first response, which most get within a second */
function useIsStuck(waiting: readonly OutboxEntry[]): boolean {
  const isOnline = useOnline();
  const isWaiting = waiting.length > 0;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), MAX_WAIT_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isWaiting && (!isOnline || isLate || waiting.some(({ attempts }) => attempts > 0));
}

/** Not for entries in flight: it would push the screen down under a finger, and up again. */
export function WaitingBar() {
  const { waiting, refused } = useOutbox();
  const isStuck = useIsStuck(waiting);
  const since = waitingSince(waiting, deviceNow());
  const counts = [
    isStuck && [`${waiting.length} waiting to send`, since].filter(Boolean).join(' '),
    refused.length > 0 && `${refused.length} not accepted`,
  ].filter(Boolean);
  const Icon = refused.length > 0 ? TriangleAlert : CloudUpload;
  return (
    <div role="status" className="print:hidden">
      {counts.length > 0 && (
        <Link
          to="/staff/waiting"
          className="flex min-h-11 items-center justify-center gap-2.5 border-b border-warning/45 bg-warning/12 px-4 py-2 text-sm font-semibold text-warning focus-visible:-outline-offset-3"
        >
          <Icon aria-hidden="true" className="size-4.5 shrink-0" />
          {counts.join(', ')}
          <ChevronRight aria-hidden="true" className="size-4 shrink-0" />
        </Link>
      )}
    </div>
  );
}

registerKinds();
// Early, because Chromium does not try a failed import() again: an entry made without a signal would wait for a reload.
void firstPaint.then(loadSenders).catch(console.warn);

const WelfareCard = lazily(
  async () => (await import('#web/features/safety/lone-guard/welfare-card.tsx')).WelfareCard,
);

const SosCard = lazily(
  async () => (await import('#web/features/safety/lone-guard/sos-card.tsx')).SosCard,
);

export function StaffShell() {
  const { user } = useAuth();
  const { data: profile } = useQuery(profileQuery(user?.id));
  useScreenFocus(useLocation({ select: ({ pathname }) => pathname }));
  return (
    <>
      <TopBar email={signInName(user)} name={profile?.full_name} compact>
        <NoticeBell to="/staff/notices" />
        <SignOutButton label="Logout" compact />
      </TopBar>
      <OfflineBar />
      <WaitingBar />
      <PortalNav userId={user?.id} />
      {user && (
        <LazyPart>
          <SosCard userId={user.id} />
          <WelfareCard userId={user.id} />
        </LazyPart>
      )}
      <Main className="mx-auto max-w-7xl px-4 pt-4 pb-24 sm:px-8 sm:pt-10 sm:pb-16">
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </Main>
    </>
  );
}
