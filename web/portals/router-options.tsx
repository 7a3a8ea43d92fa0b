// What both routers have in common: one history, so that they can take turns, and what stands in for a screen.
import { createBrowserHistory, type ErrorComponentProps } from '@tanstack/react-router';
import { Loading } from '#web/components/ui/loading.tsx';
import { NotFound } from './not-found.tsx';
import { ScreenFailure } from './screen-failure.tsx';

export const routerOptions = {
  history: createBrowserHistory(),
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: () => <Loading className="min-h-dvh" />,
  defaultErrorComponent: ({ error, reset }: ErrorComponentProps) => (
    <ScreenFailure error={error} onRetry={reset} />
  ),
  scrollRestoration: true,
} as const;
