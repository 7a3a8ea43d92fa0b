import { FileChartColumn, MapPin, Pencil } from 'lucide-react';
import { lazy, type ReactNode, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import type { Role } from '#shared/grants.ts';
import { formatDollars } from '#shared/money.ts';
import { mayDo, mayReadOfOthers } from '#shared/permissions.ts';
import { maySee } from '#shared/screens.ts';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Item } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { RecordHeader } from '#web/components/ui/record-header.tsx';
import { SectionColumns } from '#web/components/ui/section-columns.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { clientsKey } from '#web/lib/data/keys.ts';
import { useLiveTable } from '#web/lib/realtime/use-live-table.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { PAYMENT_METHOD_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { clients } from './api.ts';
import { ClientFields } from './client-form.tsx';
import {
  ClientHistory,
  ClientSites,
  ContactsSection,
  EnquiriesSection,
  RequestsSection,
} from './client-sections.tsx';
import type { Client } from './schema.ts';

/** Sections of other features, each for those who may read it. */
export type ClientParts = {
  /** Above all others. */
  now: ReactNode;
  /** How a site is staffed now. */
  staffing: (siteId: string) => ReactNode;
  incidents: ReactNode;
  coverage: ReactNode;
  contracts: ReactNode;
  owed: ReactNode;
  invoices: ReactNode;
  margin: ReactNode;
};

/** The list of clients, or a screen that names them, which these roles may open. */
const listAbove = (roles: readonly Role[]) =>
  maySee(roles, 'clients')
    ? ({ label: 'Clients', to: '/admin/clients' } as const)
    : ({ label: 'Contracts', to: '/admin/contracts' } as const);

const MonthDialog = lazy(async () => ({
  default: (await import('./month-dialog.tsx')).MonthDialog,
}));

function ClientActions({ client }: { client: Client }) {
  const { roles } = useAuth();
  const [open, setOpen] = useState<'edit' | 'report'>();
  const close = () => setOpen(undefined);
  if (!mayDo(roles, 'clients', 'update')) return null;
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button variant="secondary" onClick={() => setOpen('report')}>
        <FileChartColumn aria-hidden="true" className="size-4" />
        Monthly Report
      </Button>
      <Button variant="secondary" onClick={() => setOpen('edit')}>
        <Pencil aria-hidden="true" className="size-4" />
        Edit
      </Button>
      {open === 'edit' && (
        <RecordDialog records={clients} open={client.id} listed={[client]} onClose={close}>
          {(form) => <ClientFields {...form} />}
        </RecordDialog>
      )}
      {open === 'report' && (
        <LazyPart fallback={<Opening title="Monthly Report" />} onClose={close}>
          <MonthDialog id={client.id} onClose={close} />
        </LazyPart>
      )}
    </div>
  );
}

type PageProps = { client: Client; parts: ClientParts };

function Page({ client, parts }: PageProps) {
  const { roles } = useAuth();
  const reads = (table: Parameters<typeof mayReadOfOthers>[1]) => mayReadOfOthers(roles, table);
  const { id, name } = client;
  return (
    <>
      <Breadcrumbs trail={[listAbove(roles)]} current={name} />
      <RecordHeader
        name={name}
        subtitle={
          <span className="inline-flex min-w-0 items-center gap-1.5">
            <MapPin aria-hidden="true" className="size-4 shrink-0" />
            {client.location}
          </span>
        }
        actions={<ClientActions client={client} />}
      >
        <Item name="Number of Guards">{formatCount(client.number_of_guards)}</Item>
        <Item name="Monthly Rate">
          <span className="tabular-nums">{formatDollars(client.monthly_rate)}</span>
        </Item>
        <Item name="Payment Method">{PAYMENT_METHOD_LABELS[client.payment_method]}</Item>
      </RecordHeader>
      {parts.now && <div className="mt-5">{parts.now}</div>}
      <SectionColumns
        wide={[
          <ClientSites key="sites" clientId={id} name={name} renderStaffing={parts.staffing} />,
          parts.invoices,
          parts.contracts,
          parts.incidents,
          parts.coverage,
        ]}
        narrow={[
          parts.owed,
          reads('client_requests') && <RequestsSection key="requests" clientId={id} />,
          reads('client_contacts') && <ContactsSection key="contacts" clientId={id} />,
          parts.margin,
          reads('contact_messages') && <EnquiriesSection key="enquiries" client={client} />,
          reads('audit_log') && <ClientHistory key="history" clientId={id} />,
        ]}
      />
    </>
  );
}

/** A client: what is wrong at its sites now, and all that belongs to it. */
export function ClientPage({
  id,
  renderParts,
}: {
  id: string;
  renderParts: (client: Client) => ClientParts;
}) {
  useLiveTable('clients', clientsKey);
  const query = clients.useOne(id, undefined);
  usePageTitle(query.data?.name ?? 'Client');
  return (
    <Loaded query={query} loadingText="Loading client...">
      {(client) =>
        client === null ? (
          <Alert title="There is no such client">
            The client was deleted, or you may not see it.
          </Alert>
        ) : (
          <Page client={client} parts={renderParts(client)} />
        )
      }
    </Loaded>
  );
}
