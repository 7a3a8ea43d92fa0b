import { getRouteApi } from '@tanstack/react-router';
import { ContractPage } from '#web/features/billing/contracts/contract-page.tsx';
import type { ContractPageSearch } from '#web/features/billing/contracts/search.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

const route = getRouteApi('/admin/contracts/$id');

type ScreenProps = {
  search: ContractPageSearch;
  onChange: ChangeSearch<ContractPageSearch>;
};

export function ContractScreen(props: ScreenProps) {
  const { id } = route.useParams();
  return <ContractPage key={id} id={id} {...props} />;
}
