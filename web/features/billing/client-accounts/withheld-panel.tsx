import { useState } from 'react';
import { formatMoney } from '#shared/money.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { formatDay, today } from '#web/lib/format/dates.ts';
import {
  certificateSchema,
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

const columnsOf = (onEnter: (receipt: Withheld) => void): Column<Withheld>[] => [
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
  {
    header: 'Certificate',
    card: 'actions',
    className: 'text-right',
    cell: (receipt) => (
      <Button variant="secondary" onClick={() => onEnter(receipt)}>
        Enter<span className="sr-only"> certificate of {receipt.clients.name}</span>
      </Button>
    ),
  },
];

/** Certificates still to come for tax that clients withheld; nothing without any. */
export function WithheldPanel({ currency }: { currency: string | undefined }) {
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
