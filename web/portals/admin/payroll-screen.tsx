// /admin/payroll: Payroll Management.
import { getRouteApi } from '@tanstack/react-router';
import { PayrollList } from '#web/features/payroll/payroll-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';

const route = getRouteApi('/admin/payroll');

export function PayrollScreen() {
  usePageTitle('Payroll');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <PayrollList
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
