import { Link } from '@tanstack/react-router';
import { FileChartColumn, MapPin, Scale, Users } from 'lucide-react';
import { lazy, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { formatDollars } from '#shared/money.ts';
import { mayBill } from '#shared/screens.ts';
import { RecordDialog } from '#web/components/form/record-dialog.tsx';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { FileImport } from '#web/components/list/file-import.tsx';
import { choice } from '#web/components/list/filters.tsx';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { Fact, Facts, RecordCard } from '#web/components/list/record-card.tsx';
import { SampleImport } from '#web/components/list/sample-import.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { PAYMENT_METHOD_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { clientList, clientSamples, clients, useClientTotals, useImportClients } from './api.ts';
import { ClientFields } from './client-form.tsx';
import { DeleteClientDialog } from './delete-client-dialog.tsx';
import { type Client, IMPORT_COLUMNS, ratePerGuard, readClient } from './schema.ts';
import { type ClientSearch, SORTS } from './search.ts';

const SORT_LABELS: Record<(typeof SORTS)[number], string> = {
  '-name': 'Name, Z to A',
  '-number_of_guards': 'Most guards',
  '-monthly_rate': 'Highest monthly rate',
  location: 'Location',
};

const ORDER = choice('sort', 'Sort by', 'Name, A to Z', toOptions(SORTS, SORT_LABELS));

const ContactsDialog = lazy(async () => ({
  default: (await import('./contacts-dialog.tsx')).ContactsDialog,
}));

const MonthDialog = lazy(async () => ({
  default: (await import('./month-dialog.tsx')).MonthDialog,
}));

type ClientCardProps = {
  client: Client;
  onContacts: () => void;
  onReport: () => void;
  onEdit: () => void;
  onDelete: () => void;
};

function ClientCard({ client, onContacts, onReport, ...actions }: ClientCardProps) {
  const { name, location, number_of_guards, monthly_rate, payment_method } = client;
  const isBiller = mayBill(useAuth().roles);
  return (
    <RecordCard
      title={<ClientLink id={client.id} name={name} />}
      subtitle={
        <span className="flex gap-2">
          <MapPin aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent" />
          <span className="min-w-0">
            <span className="sr-only">Location: </span>
            {location}
          </span>
        </span>
      }
      label={`client ${name}`}
      actions={
        <>
          <Button
            variant="ghost"
            className="px-3.5"
            aria-haspopup="dialog"
            aria-label={`Contacts of ${name}`}
            onClick={onContacts}
          >
            <Users aria-hidden="true" className="size-4" />
            Contacts
          </Button>
          {isBiller && (
            <Link
              to="/admin/invoices/statements"
              search={{ client: client.id }}
              className={buttonStyles({ variant: 'ghost', className: 'px-3.5' })}
              aria-label={`Statement of ${name}`}
            >
              <Scale aria-hidden="true" className="size-4" />
              Statement
            </Link>
          )}
          <Button
            variant="ghost"
            className="px-3.5"
            aria-haspopup="dialog"
            aria-label={`Monthly report of ${name}`}
            onClick={onReport}
          >
            <FileChartColumn aria-hidden="true" className="size-4" />
            Report
          </Button>
        </>
      }
      {...actions}
    >
      <Facts>
        <Fact name="Number of Guards" amount>
          {formatCount(number_of_guards)}
        </Fact>
        <Fact name="Monthly Rate" amount strong>
          {formatDollars(monthly_rate)}
        </Fact>
        <Fact name="Rate per Guard" amount>
          {formatDollars(ratePerGuard(monthly_rate, number_of_guards))}
        </Fact>
        <Fact name="Payment Method">{PAYMENT_METHOD_LABELS[payment_method]}</Fact>
      </Facts>
    </RecordCard>
  );
}

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <Card className="px-5 py-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 text-2xl leading-tight font-semibold tabular-nums">{children}</dd>
    </Card>
  );
}

const count = (value: number | undefined) => (value === undefined ? '-' : formatCount(value));

function ClientTotals({ q }: { q: string }) {
  // Without an error state: the list below shows one.
  const { data } = useClientTotals(q);
  return (
    <section aria-label={q ? 'Totals of the clients found' : 'Totals'} className="mb-7">
      <dl className="flex flex-wrap gap-3 [&>*]:flex-1 [&>*]:basis-36">
        <Figure name="Total Clients">{count(data?.client_count)}</Figure>
        <Figure name="Total Guards">{count(data?.total_guards)}</Figure>
        <Figure name="Monthly Revenue">{data ? formatDollars(data.monthly_revenue) : '-'}</Figure>
      </dl>
    </section>
  );
}

type ClientListProps = { search: ClientSearch; onChange: ChangeSearch<ClientSearch> };

export function ClientList({ search, onChange }: ClientListProps) {
  const importClients = useImportClients();
  const screen = clientList.useScreen(search, onChange);
  const [deleting, setDeleting] = useState<Client>();
  return (
    <ListScreen
      {...screen}
      title="Clients"
      buttons={
        <>
          <SampleImport
            label="Import Sample"
            samples={clientSamples}
            total={search.q ? undefined : screen.query.data?.total}
          />
          <FileImport
            title="Import Clients"
            records="Clients"
            columns={IMPORT_COLUMNS}
            readRow={readClient}
            importRows={(rows, numbers) => importClients.mutateAsync({ rows, numbers })}
          />
        </>
      }
      addLabel="Add Client"
      summary={<ClientTotals q={search.q ?? ''} />}
      order={ORDER}
      card={(client) => (
        <ClientCard
          client={client}
          onContacts={() => onChange({ contacts: client.id })}
          onReport={() => onChange({ report: client.id })}
          onEdit={() => onChange({ open: client.id })}
          onDelete={() => setDeleting(client)}
        />
      )}
      dialog={(opened) => (
        <RecordDialog {...opened} records={clients}>
          {(form) => <ClientFields {...form} />}
        </RecordDialog>
      )}
    >
      {deleting && <DeleteClientDialog client={deleting} onClose={() => setDeleting(undefined)} />}
      {search.contacts && (
        <LazyPart
          fallback={<Opening title="Contacts" />}
          onClose={() => onChange({ contacts: undefined })}
        >
          <ContactsDialog id={search.contacts} onClose={() => onChange({ contacts: undefined })} />
        </LazyPart>
      )}
      {search.report && (
        <LazyPart
          fallback={<Opening title="Monthly Report" />}
          onClose={() => onChange({ report: undefined })}
        >
          <MonthDialog id={search.report} onClose={() => onChange({ report: undefined })} />
        </LazyPart>
      )}
    </ListScreen>
  );
}
