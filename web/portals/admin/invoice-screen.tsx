import { getRouteApi } from '@tanstack/react-router';
import { InvoicePage } from '#web/features/billing/invoices/invoice-page.tsx';
import type { InvoicePageSearch } from '#web/features/billing/invoices/search.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

const route = getRouteApi('/admin/invoices/$id');

type InvoiceScreenProps = { search: InvoicePageSearch; onChange: ChangeSearch<InvoicePageSearch> };

export function InvoiceScreen(props: InvoiceScreenProps) {
  const { id } = route.useParams();
  return <InvoicePage key={id} id={id} {...props} />;
}
