// /admin/certifications: Training & Certifications.
import { getRouteApi } from '@tanstack/react-router';
import { CertificationBoard } from '#web/features/certifications/certification-board.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/certifications');

export function CertificationsScreen() {
  usePageTitle('Training & Certifications');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <CertificationBoard
      search={search}
      onChange={(change) =>
        navigate({
          search: (now) => ({ ...now, ...change }),
          // Typing a search leaves no trail of letters.
          replace: true,
          resetScroll: change.page !== undefined,
        })
      }
    />
  );
}
