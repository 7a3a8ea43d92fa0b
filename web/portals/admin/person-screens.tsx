import { getRouteApi, useRouter } from '@tanstack/react-router';
import { lazy } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { PersonPage } from '#web/features/people/people/person-page.tsx';

// Most people open a page far more often than they hire.
const HireScreen = lazy(async () => ({
  default: (await import('#web/features/people/people/hire-screen.tsx')).HireScreen,
}));

const PaySections = lazy(async () => ({
  default: (await import('./pay-sections.tsx')).PaySections,
}));

const personRoute = getRouteApi('/admin/people/$id');
const newPersonRoute = getRouteApi('/admin/people/new');

export function PersonScreen() {
  const { id } = personRoute.useParams();
  return (
    <PersonPage
      key={id}
      id={id}
      renderPay={(staff) => (
        <LazyPart fallback={<Loading />}>
          <PaySections staffId={staff.id} name={staff.full_name} />
        </LazyPart>
      )}
    />
  );
}

export function NewPersonScreen() {
  const { staff } = newPersonRoute.useSearch();
  const { history } = useRouter();
  return (
    <LazyPart fallback={<Loading />}>
      <HireScreen staffId={staff} onCancel={() => history.back()} />
    </LazyPart>
  );
}
