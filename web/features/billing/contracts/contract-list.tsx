import { Link, useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { mayBill } from '#shared/screens.ts';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import type { Column } from '#web/components/list/columns.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { contractList, contracts } from './api.ts';
import { ContractFields } from './contract-form.tsx';
import { BILLING_CYCLE_LABELS, type Contract } from './schema.ts';
import type { ContractSearch } from './search.ts';

const columns: Column<Contract>[] = [
  {
    header: 'Client',
    card: 'title',
    sort: 'client',
    className: 'font-semibold',
    cell: (row) => (
      <>
        <Link to="/admin/contracts/$id" params={{ id: row.id }} className={PAGE_LINK}>
          {row.clients.name}
        </Link>
        <SecondLine>{row.title}</SecondLine>
      </>
    ),
  },
  {
    header: 'From',
    sort: 'starts',
    className: 'whitespace-nowrap',
    cell: (row) => formatDay(row.starts_on),
  },
  {
    header: 'Until',
    sort: 'ends',
    className: 'whitespace-nowrap',
    cell: (row) => (row.ends_on ? formatDay(row.ends_on) : 'Further notice'),
  },
  {
    header: 'Billed',
    cell: (row) => `${BILLING_CYCLE_LABELS[row.billing_cycle]}, in ${row.currency}`,
  },
  {
    header: 'Posts',
    className: 'text-right tabular-nums',
    cell: (row) => row.contract_posts[0]?.count ?? 0,
  },
  {
    header: 'Guards agreed',
    className: 'text-right tabular-nums',
    cell: (row) => row.agreed_headcount ?? '-',
  },
];

const FILTERS = [choice('show', 'Contracts', 'In force or ahead', [['all', 'Ended ones too']])];

type ContractListProps = { search: ContractSearch; onChange: ChangeSearch<ContractSearch> };

export function ContractList({ search, onChange }: ContractListProps) {
  const { roles } = useAuth();
  const navigate = useNavigate();
  // The new contract, whose page opens once its form closes.
  const added = useRef<string>(undefined);
  // Operations managers only look: see the policies of contracts.
  const mayChange = mayBill(roles);
  return (
    <ListScreen
      {...contractList.useScreen(search, onChange)}
      title="Contracts"
      subtitle="What was promised to each client, at which posts and for what price."
      {...(mayChange ? { addLabel: 'Add Contract' } : {})}
      searchLabel="Search by client or title"
      filters={FILTERS}
      Table={TableRows}
      columns={columns}
      dialog={(opened) =>
        mayChange && (
          <RecordDialog
            {...opened}
            records={contracts}
            onAdded={(id) => {
              added.current = id;
            }}
            onClose={() => {
              const id = added.current;
              if (id === undefined) opened.onClose();
              else void navigate({ to: '/admin/contracts/$id', params: { id } });
            }}
          >
            {(form) => <ContractFields {...form} />}
          </RecordDialog>
        )
      }
    />
  );
}
