import { Link } from '@tanstack/react-router';
import { DoorOpen, TabletSmartphone } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import type { Column } from '#web/components/list/columns.tsx';
import { FileImport } from '#web/components/list/file-import.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { checkSites, siteList, sites, useImportSites, useSitesWithoutPosition } from './api.ts';
import { DeleteSiteDialog } from './delete-site-dialog.tsx';
import { IMPORT_COLUMNS, readSite } from './import.ts';
import type { Site } from './schema.ts';
import type { SiteSearch } from './search.ts';
import { SiteFields } from './site-form.tsx';

const siteColumns: Column<Site>[] = [
  {
    header: 'Site Name',
    card: 'title',
    className: 'font-semibold',
    sort: 'name',
    cell: (row) => row.name,
  },
  { header: 'Client', sort: 'client', cell: (row) => row.client_name },
  {
    header: 'Address',
    className: '[overflow-wrap:anywhere]',
    sort: 'address',
    cell: (row) => row.address,
  },
  {
    header: 'Timezone',
    className: 'whitespace-nowrap',
    sort: 'timezone',
    cell: (row) => row.timezone,
  },
];

const nameOf = (row: Site) => row.name;

function RowLinks({ row }: { row: Site }) {
  return (
    <>
      <Link
        to="/admin/roster/posts"
        search={{ site: row.id }}
        title="Posts"
        aria-label={`Posts of ${row.name}`}
        className={buttonStyles({ variant: 'ghost', size: 'icon' })}
      >
        <DoorOpen aria-hidden="true" className="size-4" />
      </Link>
      <Link
        to="/admin/sites/devices"
        search={{ site: row.id }}
        title="Devices"
        aria-label={`Devices of ${row.name}`}
        className={buttonStyles({ variant: 'ghost', size: 'icon' })}
      >
        <TabletSmartphone aria-hidden="true" className="size-4" />
      </Link>
    </>
  );
}

const FILTERS = [choice('position', 'Position', 'All sites', [['none', 'Without a position']])];

function WithoutPosition({ count, onShow }: { count: number; onShow: () => void }) {
  return (
    <Alert
      title={
        count === 1 ? '1 site has no position' : `${formatCount(count)} sites have no position`
      }
      className="mb-5"
      action={
        <Button variant="secondary" onClick={onShow}>
          Show
        </Button>
      }
    >
      Clock-ins there can't be checked against the fence. Put these sites on the map.
    </Alert>
  );
}

type SiteListProps = { search: SiteSearch; onChange: ChangeSearch<SiteSearch> };

export function SiteList({ search, onChange }: SiteListProps) {
  const { data: withoutPosition = 0 } = useSitesWithoutPosition();
  const [deleting, setDeleting] = useState<Site>();
  const { mutateAsync: importSites } = useImportSites();
  return (
    <ListScreen
      {...siteList.useScreen(search, onChange)}
      title="Sites Management"
      buttons={
        <FileImport
          title="Import Sites"
          records="Sites"
          columns={IMPORT_COLUMNS}
          hint="A client is found by its name."
          readRow={readSite}
          checkRows={checkSites}
          importRows={(rows, numbers) => importSites({ rows, numbers })}
        />
      }
      addLabel="Add Site"
      filters={FILTERS}
      notice={
        withoutPosition > 0 &&
        search.position === undefined && (
          <WithoutPosition
            count={withoutPosition}
            onShow={() => onChange({ position: 'none', page: undefined })}
          />
        )
      }
      room={52}
      Table={TableRows}
      columns={siteColumns}
      actions={{
        nameOf,
        onDelete: setDeleting,
        more: (row) => <RowLinks row={row} />,
      }}
      dialog={(opened) => (
        <RecordDialog {...opened} records={sites}>
          {(form, site) => <SiteFields form={form} siteId={site?.id} />}
        </RecordDialog>
      )}
    >
      {deleting && <DeleteSiteDialog site={deleting} onClose={() => setDeleting(undefined)} />}
    </ListScreen>
  );
}
