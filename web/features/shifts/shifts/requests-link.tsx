import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useGuardRequests } from './request-api.ts';

/** Above the shifts, while requests wait. */
export function RequestsLink() {
  const { data: requests = [] } = useGuardRequests();
  if (requests.length === 0) return null;
  return (
    <Link
      to="/admin/roster/requests"
      className="mb-5 flex min-h-12 items-center gap-3 rounded-md border border-line bg-raised px-4 font-semibold hover:bg-sunken sm:px-5 compact:mb-2 compact:lg:min-h-9"
    >
      <span className="flex-1">Requests from guards ({requests.length})</span>
      <ChevronRight aria-hidden="true" className="size-5 text-muted" />
    </Link>
  );
}
