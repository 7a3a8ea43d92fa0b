// Shared by both routers (app-screens.tsx). They use one history, so that one can replace the other.
import {
  createBrowserHistory,
  createRootRoute,
  type ErrorComponentProps,
} from '@tanstack/react-router';
import { CompanyMark } from '#web/assets/company-mark.tsx';
import { LoadingScreen, ScreenFailure } from '#web/components/layout/screen.tsx';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

export const rootRoute = createRootRoute();

function NotFound() {
  usePageTitle('Page not found');
  return (
    <main className="grid min-h-dvh place-items-center px-5 py-16 text-center">
      <div>
        <CompanyMark className="mx-auto h-14 w-auto" />
        <h1 className="mt-7 font-display text-7xl leading-none sm:text-8xl">404</h1>
        <p className="mt-5 text-lg text-muted">Oops! Page not found</p>
        <a href="/" className={buttonStyles({ variant: 'primary', className: 'mt-9' })}>
          Return to Home
        </a>
      </div>
    </main>
  );
}

export const routerOptions = {
  history: createBrowserHistory(),
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
