// Shows the screen that the address names. What the admin portal needs is loaded when its first address is opened.
import { lazy, Suspense, useCallback, useState } from 'react';
import { Failure } from '#web/components/layout/failure.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { FirstApp } from './first-app.tsx';

const isAdmin = /^\/admin(\/|$)/.test(location.pathname);
const loadFullApp = () => import('./full-app.tsx');
/** Begun at once where it is needed at once. */
const begun = isAdmin ? loadFullApp() : undefined;

function Unreachable() {
  return (
    <Failure
      title="The admin portal could not be loaded"
      message="Check your network and try again."
      onRetry={() => location.reload()}
    />
  );
}

const FullApp = lazy(() =>
  (begun ?? loadFullApp())
    .then((module) => ({ default: module.FullApp }))
    .catch(() => ({ default: Unreachable })),
);

export function AppScreens() {
  const [isFull, setFull] = useState(isAdmin);
  const open = useCallback(() => setFull(true), []);
  if (!isFull) return <FirstApp onAdmin={open} />;
  return (
    <Suspense fallback={<Loading className="min-h-dvh" />}>
      <FullApp />
    </Suspense>
  );
}
