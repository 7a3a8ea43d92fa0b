import { useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { DocumentButton } from '#web/components/documents/document-dialog.tsx';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Pager } from '#web/components/list/pager.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { invoicesKey } from '#web/lib/data/keys.ts';
import { storeDocument } from '#web/lib/files/documents.ts';
import { formatDay, today } from '#web/lib/format/dates.ts';
import {
  CERTIFIED_PAGE,
  type Currency,
  certificateSchema,
  useCertified,
  useEnterCertificate,
  useWithheld,
  type Withheld,
} from './withheld-api.ts';

function CertificateDialog({ receipt, onClose }: { receipt: Withheld; onClose: () => void }) {
  const { mutateAsync } = useEnterCertificate();
  return (
    <EntryDialog
      title="Enter Certificate"
      description={`For ${formatMoney(receipt.withheld, receipt.currency)} that ${receipt.clients.name} kept on ${formatDay(receipt.received_on)}. It counts against the company’s income tax.`}
      schema={certificateSchema}
      defaultValues={{ number: '', on: today() }}
      submitLabel="Enter Certificate"
      success="Certificate entered"
      failure="Certificate not entered"
      save={(form) => mutateAsync({ id: receipt.id, ...form })}
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            {field.text('number', 'Number')}
            {field.day('on', 'Day')}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

const COLUMNS: Column<Withheld>[] = [
  {
    header: 'Client',
    card: 'title',
    className: 'font-semibold',
    cell: ({ client_id, clients }) => <ClientLink id={client_id} name={clients.name} />,
  },
  {
    header: 'Received',
    card: 'line',
    cell: ({ received_on, reference }) =>
      [formatDay(received_on), reference].filter(Boolean).join(', '),
  },
  {
    header: 'Withheld',
    className: AMOUNT,
    cell: ({ withheld, currency }) => formatMoney(withheld, currency),
  },
];

const columnsOf = (onEnter: (receipt: Withheld) => void): Column<Withheld>[] => [
  ...COLUMNS,
  {
    header: 'Certificate',
    card: 'actions',
    className: 'text-right',
    cell: (receipt) => (
      <Button variant="secondary" className="mr-2" onClick={() => onEnter(receipt)}>
        Enter<span className="sr-only"> certificate of {receipt.clients.name}</span>
      </Button>
    ),
  },
];

const CERTIFIED_COLUMNS: Column<Withheld>[] = [
  ...COLUMNS,
  {
    header: 'Certificate',
    cell: ({ withholding_certificate, certificate_on }) => (
      <>
        <span className="[overflow-wrap:anywhere]">{withholding_certificate}</span>
        {certificate_on !== null && <SecondLine>{formatDay(certificate_on)}</SecondLine>}
      </>
    ),
  },
  {
    header: 'Document',
    card: 'actions',
    className: 'text-right',
    cell: ({ id, certificate_path, withholding_certificate }) => (
      <DocumentButton
        noun="Certificate"
        name={`certificate ${withholding_certificate}`}
        record={{
          id,
          path: certificate_path,
          store: (path) => storeDocument('receipt', id, path),
          key: invoicesKey,
        }}
      />
    ),
  },
];

/** Certificates that have come, each with its file; nothing without any. */
function CertifiedPanel({ currency }: { currency: Currency | undefined }) {
  const [page, setPage] = useState(1);
  const { data: { rows, total } = { rows: [], total: 0 } } = useCertified(currency, page);
  if (total === 0) return null;
  return (
    <div className="mt-6">
      <Panel title="Tax Withheld, Certificates Received">
        <DataTable
          label="Certificates received"
          columns={CERTIFIED_COLUMNS}
          rows={rows}
          rowId={({ id }) => id}
        />
        <Pager
          page={page}
          pageSize={CERTIFIED_PAGE}
          total={total}
          onPage={setPage}
          noun="certificates"
        />
      </Panel>
    </div>
  );
}

/** Certificates still to come for tax that clients withheld; nothing without any. */
function ToComePanel({ currency }: { currency: Currency | undefined }) {
  const { data = [] } = useWithheld();
  const [entered, setEntered] = useState<Withheld>();
  const rows = data.filter((row) => currency === undefined || row.currency === currency);
  if (rows.length === 0) return null;
  return (
    <div className="mt-6">
      <Panel title="Tax Withheld, Certificates Still to Come">
        <p className="mb-3 text-sm text-muted">
          Clients kept this tax from their payments and pay it to the tax office. Ask them for the
          certificate.
        </p>
        <DataTable
          label="Certificates still to come"
          columns={columnsOf(setEntered)}
          rows={rows}
          rowId={({ id }) => id}
          room={40}
        />
      </Panel>
      {entered && <CertificateDialog receipt={entered} onClose={() => setEntered(undefined)} />}
    </div>
  );
}

export function WithheldPanel({ currency }: { currency: Currency | undefined }) {
  return (
    <>
      <ToComePanel currency={currency} />
      {/* Begins with its first page in another currency. */}
      <CertifiedPanel key={currency} currency={currency} />
    </>
  );
}
