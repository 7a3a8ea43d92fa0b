import { lazy, type ReactNode, Suspense } from 'react';
import { useToasterWanted } from './toast.ts';

const Toaster = lazy<() => ReactNode>(() =>
  import('./toaster.tsx')
    .then(({ Toaster }) => ({ default: Toaster }))
    // It may not load offline; screens show errors in the page too.
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
