// What both routers have in common: one history, so that they can take turns, and what stands in for a screen.
import { createBrowserHistory, type ErrorComponentProps } from '@tanstack/react-router';
import { LoadingScreen } from '#web/components/layout/loading-screen.tsx';
import { ScreenFailure } from '#web/components/layout/screen-failure.tsx';
import { NotFound } from './not-found.tsx';

export const routerOptions = {
  history: createBrowserHistory(),
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  // The whole page, not a part of the portal below which the address would be.
  notFoundMode: 'root',
  defaultPendingComponent: LoadingScreen,
  defaultErrorComponent: ({ error, reset }: ErrorComponentProps) => (
    <ScreenFailure error={error} onRetry={reset} />
  ),
  scrollRestoration: true,
} as const;
