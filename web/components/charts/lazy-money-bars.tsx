// The bar chart, loaded when the first one is shown: its library is larger than the screen around it.
import { type ComponentProps, lazy, Suspense } from 'react';
import { Loading } from '#web/components/ui/loading.tsx';

const MoneyBars = lazy(async () => ({
  default: (await import('./money-bars.tsx')).MoneyBars,
}));

export function LazyMoneyBars(props: ComponentProps<typeof MoneyBars>) {
  return (
    <Suspense fallback={<Loading className="h-80" />}>
      <MoneyBars {...props} />
    </Suspense>
  );
}
