// Renders the sign-in pages to HTML in the build (scripts/build-web.mjs), so that they are readable before the app has loaded.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { PortalSignIn } from '#web/features/rights/auth/portal-sign-in.tsx';
import { pageTitle } from '#web/lib/app/page-title.ts';
import { TrackerSignIn } from '../tracker/tracker-sign-in.tsx';

const render = (screen: ReactNode) =>
  renderToString(<QueryClientProvider client={new QueryClient()}>{screen}</QueryClientProvider>);

/** Shown by a page with a session until the app has loaded. Nothing turns: each frame would delay the app. */
export const openingIndicator = () =>
  render(
    <p role="status" className="grid min-h-dvh place-items-center text-muted">
      Loading...
    </p>,
  );

/** @returns title and body of each page, by name */
export const signInPages = () => ({
  portal: { title: pageTitle('Sign in'), body: render(<PortalSignIn />) },
  tracker: { title: pageTitle('Guard Deployment Tracker'), body: render(<TrackerSignIn />) },
});
