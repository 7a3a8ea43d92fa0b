// Loads the toaster when there is something to say.
import { lazy, type ReactNode, Suspense } from 'react';
import { useToasterWanted } from './toast.ts';

const Toaster = lazy<() => ReactNode>(() =>
  import('./toaster.tsx')
    .then(({ Toaster }) => ({ default: Toaster }))
    // Without a network it may not be had; the screens themselves say what went wrong too.
    .catch(() => ({ default: () => null })),
);

export function ToasterPlace() {
  return (
    useToasterWanted() && (
      <Suspense>
        <Toaster />
      </Suspense>
    )
  );
}
