import { getRouteApi } from '@tanstack/react-router';
import { QuotePage } from '#web/features/clients/enquiries/quote-page.tsx';
import type { QuoteSearch } from '#web/features/clients/enquiries/search.ts';

const route = getRouteApi('/admin/enquiries/quotes/$id');

export function QuoteScreen({ search }: { search: QuoteSearch }) {
  const { id } = route.useParams();
  return <QuotePage key={id} id={id} search={search} />;
}
