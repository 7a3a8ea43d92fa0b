// What both routers have in common: one history, so that they can take turns, and what stands in for a screen.
import { createBrowserHistory, type ErrorComponentProps } from '@tanstack/react-router';
import { Failure } from '#web/components/layout/failure.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { messageOf } from '#web/lib/errors.ts';
import { NotFound } from './not-found.tsx';

export const routerOptions = {
  history: createBrowserHistory(),
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultPendingComponent: () => <Loading className="min-h-dvh" />,
  defaultErrorComponent: ({ error, reset }: ErrorComponentProps) => (
    <Failure title="This screen could not be shown" message={messageOf(error)} onRetry={reset} />
  ),
  scrollRestoration: true,
} as const;
