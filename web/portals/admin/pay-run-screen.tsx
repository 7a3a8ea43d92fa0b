import { getRouteApi } from '@tanstack/react-router';
import { lazy } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { RunPage } from '#web/features/pay/pay-runs/run-page.tsx';
import type { RunPageSearch } from '#web/features/pay/pay-runs/search.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

const PaymentsTab = lazy(async () => ({
  default: (await import('#web/features/payments/payments/payments-tab.tsx')).PaymentsTab,
}));

const AdjustmentsToDecide = lazy(async () => ({
  default: (await import('#web/features/pay/adjustments/to-decide.tsx')).AdjustmentsToDecide,
}));

const route = getRouteApi('/admin/payruns/$id');

type PayRunScreenProps = { search: RunPageSearch; onChange: ChangeSearch<RunPageSearch> };

export function PayRunScreen(props: PayRunScreenProps) {
  const { id } = route.useParams();
  return (
    <RunPage
      key={id}
      id={id}
      {...props}
      renderPayments={(runId) => (
        <LazyPart fallback={<Loading />}>
          <PaymentsTab runId={runId} />
        </LazyPart>
      )}
      renderToDecide={() => (
        <LazyPart fallback={null}>
          <AdjustmentsToDecide />
        </LazyPart>
      )}
    />
  );
}
