// The payments of one pay run.
import { getRouteApi } from '@tanstack/react-router';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { PaymentsTab } from '#web/features/payments/payments-tab.tsx';

const route = getRouteApi('/admin/payroll/runs/$id');

export function PaymentsScreen() {
  const { id } = route.useParams();
  return (
    <>
      <Breadcrumbs trail={[{ label: 'Payroll', to: '/admin/payroll' }]} current="Payments" />
      <ScreenHeading title="Payments" />
      <PaymentsTab key={id} runId={id} />
    </>
  );
}
