import { getRouteApi } from '@tanstack/react-router';
import { QuotePage } from '#web/features/clients/enquiries/quote-page.tsx';

const route = getRouteApi('/admin/enquiries/quotes/$id');

export function QuoteScreen() {
  const { id } = route.useParams();
  return <QuotePage key={id} id={id} />;
}
