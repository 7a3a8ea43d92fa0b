// /admin/enquiries: what visitors of the public site asked.
import { getRouteApi } from '@tanstack/react-router';
import { EnquiryList } from '#web/features/enquiries/enquiry-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/enquiries');

export function EnquiriesScreen() {
  usePageTitle('Enquiries');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <EnquiryList
      search={search}
      onChange={(change) =>
        navigate({
          search: (now) => ({ ...now, ...change }),
          // Back closes what was opened; typing a search leaves no trail of letters.
          replace: !change.open,
          resetScroll: change.page !== undefined,
        })
      }
    />
  );
}
