// The columns of the sites.
import { columnsOf } from '#web/components/list/columns.ts';
import { RowActions } from '#web/components/list/row-actions.tsx';
import type { Site } from '../schema.ts';

type Actions = { onEdit: (row: Site) => void; onDelete: (row: Site) => void };

export const siteColumns = ({ onEdit, onDelete }: Actions) =>
  columnsOf<Site>((column) => [
    column.display({
      id: 'name',
      header: 'Site Name',
      meta: { card: 'title', className: 'font-semibold', sort: 'name' },
      cell: ({ row }) => row.original.name,
    }),
    column.display({
      id: 'client',
      header: 'Client',
      meta: { sort: 'client' },
      cell: ({ row }) => row.original.client_name,
    }),
    column.display({
      id: 'address',
      header: 'Address',
      meta: { className: '[overflow-wrap:anywhere]', sort: 'address' },
      cell: ({ row }) => row.original.address,
    }),
    column.display({
      id: 'timezone',
      header: 'Timezone',
      meta: { className: 'whitespace-nowrap', sort: 'timezone' },
      cell: ({ row }) => row.original.timezone,
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { card: 'actions', className: 'text-right' },
      cell: ({ row: { original } }) => (
        <RowActions
          name={original.name}
          onEdit={() => onEdit(original)}
          onDelete={() => onDelete(original)}
        />
      ),
    }),
  ]);
