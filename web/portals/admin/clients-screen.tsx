// /admin/clients: Clients.
import { getRouteApi } from '@tanstack/react-router';
import { ClientList } from '#web/features/clients/components/client-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/clients');

export function ClientsScreen() {
  usePageTitle('Clients');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ClientList
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
