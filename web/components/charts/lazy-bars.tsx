// The bar chart, loaded when the first one is shown: its library is larger than the screen around it.
import { lazy, Suspense } from 'react';
import { Loading } from '#web/components/ui/loading.tsx';
import type { BarsProps } from './figures.ts';

const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }));

export function LazyBars(props: BarsProps) {
  return (
    <Suspense fallback={<Loading className="h-80" />}>
      <Bars {...props} />
    </Suspense>
  );
}
