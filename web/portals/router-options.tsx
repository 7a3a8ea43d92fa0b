// Shared by both routers (app-screens.tsx). They use one history, so that one can replace the other.
import {
  createBrowserHistory,
  createRootRoute,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { Hotline } from '#web/components/layout/hotline.tsx';
import { LoadingScreen, ScreenFailure } from '#web/components/layout/screen.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { parseSearch } from '#web/lib/app/parse-search.ts';

export const rootRoute = createRootRoute();

function NotFound() {
  usePageTitle('Page not found');
  return (
    <main className="grid min-h-dvh place-items-center px-5 py-16 text-center">
      <div>
        <CompanyMark className="mx-auto h-14 w-auto" />
        <h1 className="mt-7 font-display text-7xl leading-none sm:text-8xl">404</h1>
        <p className="mt-5 text-lg text-muted">Oops! Page not found</p>
        <p className="mx-auto mt-2 max-w-sm text-pretty text-muted">
          The address may be mistyped, or the page was moved.
        </p>
        <div className="mt-8 flex flex-wrap justify-center gap-3">
          <a href="/" className={buttonStyles({ variant: 'primary' })}>
            Return to Home
          </a>
          <a href="/staff" className={buttonStyles({ variant: 'secondary' })}>
            Staff Portal
          </a>
          <a href="/#contact-form" className={buttonStyles({ variant: 'secondary' })}>
            Contact us
          </a>
        </div>
        <Hotline />
      </div>
    </main>
  );
}

export const routerOptions = {
  history: createBrowserHistory(),
  parseSearch,
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  // On the whole page, not inside the portal.
  notFoundMode: 'root',
  defaultPendingComponent: LoadingScreen,
  defaultErrorComponent: ({ error, reset }: ErrorComponentProps) => (
    <ScreenFailure error={error} onRetry={reset} />
  ),
  scrollRestoration: true,
} as const;
