import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  BookOpen,
  ChartColumn,
  FileWarning,
  type LucideIcon,
  MessageSquare,
  ReceiptText,
  ShieldCheck,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { company } from '#company';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Main } from '#web/components/layout/screen.tsx';
import { ThemeMenu } from '#web/components/layout/theme-menu.tsx';
import { useScreenFocus } from '#web/components/layout/use-screen-focus.ts';
import { Card } from '#web/components/ui/card.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { myClientsQuery } from '#web/features/portal/client-portal/api.ts';
import { NowScreen } from '#web/features/portal/client-portal/now-screen.tsx';
import { PlaceLink, usePlace } from '#web/features/portal/client-portal/places.tsx';
import { SignOut } from '#web/features/portal/client-portal/sign-out.tsx';
import { SessionNotice } from '#web/features/rights/auth/session-notice.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { ScreenBoundary } from './screen-boundary.tsx';

const BookScreen = lazily(
  async () => (await import('#web/features/portal/client-portal/book-screen.tsx')).BookScreen,
);
const CoverageScreen = lazily(
  async () =>
    (await import('#web/features/portal/client-portal/coverage-screen.tsx')).CoverageScreen,
);
const ReportsScreen = lazily(
  async () => (await import('#web/features/portal/client-portal/reports-screen.tsx')).ReportsScreen,
);
const WriteScreen = lazily(
  async () => (await import('#web/features/portal/client-portal/write-screen.tsx')).WriteScreen,
);

const InvoicesScreen = lazily(
  async () =>
    (await import('#web/features/portal/client-portal/invoices-screen.tsx')).InvoicesScreen,
);
const StatementScreen = lazily(
  async () =>
    (await import('#web/features/portal/client-portal/statement-screen.tsx')).StatementScreen,
);

type Place = {
  to: string;
  label: string;
  /** On phones. */
  short?: string;
  Icon: LucideIcon;
  Screen: ComponentType & { load?: () => Promise<unknown> };
};

const NOW: Place = { to: '/client', label: 'Now', Icon: ShieldCheck, Screen: NowScreen };
const PLACES: readonly Place[] = [
  NOW,
  { to: '/client/coverage', label: 'Coverage', Icon: ChartColumn, Screen: CoverageScreen },
  { to: '/client/book', label: 'Book', Icon: BookOpen, Screen: BookScreen },
  { to: '/client/reports', label: 'Reports', Icon: FileWarning, Screen: ReportsScreen },
  { to: '/client/invoices', label: 'Invoices', Icon: ReceiptText, Screen: InvoicesScreen },
  {
    to: '/client/write',
    label: 'Write to us',
    short: 'Write',
    Icon: MessageSquare,
    Screen: WriteScreen,
  },
];

/** Opened from Invoices. */
const STATEMENT = '/client/statement';

function Places({ open }: { open: Place }) {
  const queryClient = useQueryClient();
  return (
    <nav
      aria-label="Client portal"
      data-bottom-bar
      className="z-30 border-line bg-raised max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t max-sm:pb-[env(safe-area-inset-bottom)] sm:border-b print:hidden"
    >
      <ul className="mx-auto grid max-w-5xl auto-cols-[minmax(0,1fr)] grid-flow-col sm:auto-cols-max sm:gap-2 sm:px-5">
        {PLACES.map(({ to, label, short = label, Icon, Screen }) => (
          <li key={to}>
            <PlaceLink
              to={to}
              aria-current={open.to === to ? 'page' : undefined}
              data-current={open.to === to || undefined}
              onPointerEnter={() => Screen.load?.().catch(console.warn)}
              onOpen={() => void queryClient.invalidateQueries(myClientsQuery)}
              className="flex min-h-14 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent text-[min(0.75rem,3.5vw)] font-semibold text-muted focus-visible:-outline-offset-3 data-current:border-accent-fill data-current:text-ink sm:min-h-12 sm:flex-row sm:gap-2 sm:border-t-0 sm:border-b-2 sm:px-3 sm:text-sm"
            >
              <Icon aria-hidden="true" className="size-5 sm:size-4" />
              <span className="sm:hidden">{short}</span>
              <span className="max-sm:hidden">{label}</span>
            </PlaceLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function AccessEnded() {
  return (
    <Card className="mx-auto max-w-xl border-t-3 border-t-accent-fill p-6 sm:p-8">
      <div role="alert">
        <h1 className="font-display text-2xl leading-tight">Your access has ended</h1>
        <p className="mt-3 text-pretty text-muted">
          If you still need it, ask {company.name} at{' '}
          <a
            className="font-semibold whitespace-nowrap text-accent underline"
            href={`tel:${company.hotline.replaceAll(' ', '')}`}
          >
            {company.hotline}
          </a>{' '}
          for a new one.
        </p>
      </div>
    </Card>
  );
}

export function ClientShell() {
  const query = useQuery(myClientsQuery);
  const path = usePlace();
  useScreenFocus(path);
  const isStatement = path === STATEMENT;
  const open = PLACES.find(({ to }) => to === (isStatement ? '/client/invoices' : path)) ?? NOW;
  const Screen = isStatement ? StatementScreen : open.Screen;
  const hasAccess = query.data === undefined || query.data.length > 0;
  const names = query.data?.map(({ client_name: name }) => name).join(', ');
  return (
    <>
      <header className="border-b border-line bg-raised">
        <div className="mx-auto flex min-h-16 max-w-5xl items-center gap-2 px-4 py-2 sm:px-8">
          <CompanyMark className="h-9 w-auto shrink-0" />
          <p className="mr-auto ml-1 min-w-0 leading-tight">
            <span className="block text-sm text-muted">{company.shortName}</span>
            <span className="block truncate font-semibold">{names}</span>
          </p>
          <ThemeMenu className="shrink-0 print:hidden" />
          <SignOut />
        </div>
      </header>
      {hasAccess && <Places open={open} />}
      <SessionNotice className="rounded-none border-x-0 border-t-0 px-4 sm:px-8" />
      <Main className="mx-auto max-w-5xl px-4 pt-6 pb-28 sm:px-8 sm:pt-10 sm:pb-16">
        <Loaded query={query} loadingText="Loading your sites">
          {(clients) =>
            clients.length > 0 ? (
              <ScreenBoundary key={path}>
                <LazyPart fallback={<Loading />}>
                  <Screen />
                </LazyPart>
              </ScreenBoundary>
            ) : (
              <AccessEnded />
            )
          }
        </Loaded>
      </Main>
    </>
  );
}
