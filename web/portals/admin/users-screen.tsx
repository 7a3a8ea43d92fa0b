// /admin/users: User Management.
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { UserSearch } from '#web/features/users/schema.ts';
import { UserList } from '#web/features/users/user-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/users');

export function UsersScreen() {
  usePageTitle('Users');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (changed: Partial<UserSearch>) =>
      navigate({
        search: (now) => ({ ...now, ...changed }),
        // Back closes what was opened; typing a search leaves no trail of letters.
        replace: !changed.open,
        resetScroll: changed.page !== undefined,
      }),
    [navigate],
  );
  return <UserList search={search} onChange={change} />;
}
