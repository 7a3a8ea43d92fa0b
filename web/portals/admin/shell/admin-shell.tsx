import { useRouter } from '@tanstack/react-router';
import { PanelLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Letterhead } from '#web/components/layout/letterhead.tsx';
import { Main } from '#web/components/layout/screen.tsx';
import { SkipLink } from '#web/components/layout/skip-link.tsx';
import { ThemeMenu } from '#web/components/layout/theme-menu.tsx';
import { AccountLink } from '#web/components/layout/top-bar.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { SignOutButton } from '#web/features/rights/auth/sign-out-button.tsx';
import { cn } from '#web/lib/cn.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useAuth } from '#web/lib/session/auth.ts';
import { signInName } from '#web/lib/session/sign-in-name.ts';
import { backend } from '#web/lib/supabase/client.ts';
import { loadScreens } from '../load-screens.ts';
import { AreaTabs } from './area-tabs.tsx';
import { Finder } from './finder.tsx';
import { OpenScreen } from './open-screen.tsx';
import { SidebarNav } from './sidebar-nav.tsx';
import { type SidebarState, useSidebarState } from './sidebar-state.ts';

/** On phones and tablets. Desks don't load its dialog. */
const SidebarDrawer = lazily(async () => (await import('./sidebar-drawer.tsx')).SidebarDrawer);

const NoticeBell = lazily<{ to: '/admin/notices' }>(
  async () => (await import('#web/features/notices/notices/notice-bell.tsx')).NoticeBell,
);

const DemoNote = lazily(async () => (await import('./demo-note.tsx')).DemoNote);

/** Its file loads before the first press. Only a press that misses it tells the user. */
function PhoneSidebar({ open, setOpen }: Omit<SidebarState, 'isDrawer'>) {
  const [isWanted, setWanted] = useState(false);
  if (open && !isWanted) setWanted(true);
  useEffect(() => {
    SidebarDrawer.load().catch(() => undefined); // The press tries again.
  }, []);
  if (!isWanted) return null;
  const close = () => {
    setOpen(false);
    setWanted(false);
  };
  return (
    <LazyPart onClose={close}>
      <SidebarDrawer open={open} onOpenChange={setOpen} />
    </LazyPart>
  );
}

export function AdminShell() {
  const { user, roles } = useAuth();
  const router = useRouter();
  const { isDrawer, open, setOpen } = useSidebarState();
  const [isBellClosed, setBellClosed] = useState(false);
  useEffect(() => {
    const unmounted = new AbortController();
    void loadScreens(router, roles, unmounted.signal);
    return () => unmounted.abort();
  }, [router, roles]);
  return (
    <div className="flex min-h-dvh">
      <SkipLink to="screen">Skip to content</SkipLink>
      {isDrawer ? (
        <PhoneSidebar open={open} setOpen={setOpen} />
      ) : (
        <aside
          id="sidebar"
          data-state={open ? 'expanded' : 'collapsed'}
          className={cn(
            'sticky top-0 h-dvh shrink-0 transition-[width] duration-200 print:hidden',
            open ? 'w-[16rem]' : 'w-[3rem]',
          )}
        >
          <SidebarNav narrow={!open} />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex print:hidden min-h-16 items-center border-b border-line bg-raised pr-1.5 pl-0.5 sm:gap-1 sm:pr-6 sm:pl-2 max-[20rem]:flex-wrap max-[20rem]:justify-end">
          <Button
            variant="ghost"
            size="icon"
            title="Ctrl+B"
            aria-label="Toggle sidebar"
            aria-expanded={open}
            className="shrink-0"
            onClick={() => setOpen(!open)}
          >
            <PanelLeft aria-hidden="true" className="size-5" />
          </Button>
          <h1 className="font-display text-sm leading-tight sm:ml-1 sm:text-xl max-[20rem]:mr-auto">
            Admin Portal
          </h1>
          <div className="ml-auto">
            <Finder />
          </div>
          {/* Its place is kept while it loads. */}
          <div className="size-11 shrink-0">
            {!isBellClosed && (
              <LazyPart onClose={() => setBellClosed(true)}>
                <NoticeBell to="/admin/notices" />
              </LazyPart>
            )}
          </div>
          <AccountLink
            email={signInName(user)}
            className="max-lg:shrink-0 max-lg:justify-center max-lg:px-0 max-lg:[&>span]:sr-only"
          />
          <ThemeMenu className="shrink-0" />
          <SignOutButton label="Logout" compact />
        </header>
        <Main
          id="screen"
          tabIndex={-1}
          className="flex-1 px-4 py-7 outline-none [--top-bar:4rem] sm:px-8 compact:py-5 print:p-0"
        >
          {/* Printed screens carry the company's letterhead. */}
          <div className="mb-6 hidden print:block">
            <Letterhead />
          </div>
          {backend.config.isDemoFilling && (
            <LazyPart>
              <DemoNote />
            </LazyPart>
          )}
          <AreaTabs />
          <OpenScreen />
        </Main>
      </div>
    </div>
  );
}
