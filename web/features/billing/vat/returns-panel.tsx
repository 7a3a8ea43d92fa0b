import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { VAT_RETURN_LINES_BOX } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useRegistrations } from '#web/lib/data/vat-registrations.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { formatDay, formatMonths, today } from '#web/lib/format/dates.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { type OpenedReturn, usePrepare, useVatMonths, useVatReturn } from './api.ts';
import { FileDialog, PayDialog, ReopenDialog } from './return-dialogs.tsx';
import { BOX_LABELS, boxesOf, MONTH_STATES, type VatLine, type VatMonth } from './schema.ts';
import type { VatSearch } from './search.ts';

const nameOf = (month: string) => formatMonths(month, month);

function State({ status }: { status: string }) {
  const state = MONTH_STATES[status];
  return state && <Badge tone={state.tone}>{state.label}</Badge>;
}

/** @returns for example "$180.00 and L$500.00" */
function inBoth(usd: number | null, lrd: number | null): string {
  if (usd === null || lrd === null) return '-';
  const parts = [usd !== 0 && formatMoney(usd, 'USD'), lrd !== 0 && formatMoney(lrd, 'LRD')];
  return parts.filter(Boolean).join(' and ') || formatMoney(0, 'USD');
}

const MONTH_COLUMNS: Column<VatMonth>[] = [
  {
    header: 'Month',
    card: 'title',
    className: 'font-semibold',
    cell: ({ month }) => nameOf(month),
  },
  {
    header: 'VAT on sales',
    className: AMOUNT,
    cell: ({ output_usd, output_lrd }) => inBoth(output_usd, output_lrd),
  },
  {
    header: 'VAT on purchases',
    className: AMOUNT,
    cell: ({ input_usd, input_lrd }) => inBoth(input_usd, input_lrd),
  },
  {
    header: 'Due',
    className: AMOUNT,
    cell: ({ due }) => (due === null ? '-' : formatMoney(due, 'LRD')),
  },
  { header: 'State', card: 'aside', cell: ({ status }) => <State status={status} /> },
];

const LINE_COLUMNS: Column<VatLine>[] = [
  { header: 'Day', card: 'aside', cell: ({ day }) => formatDay(day) },
  {
    header: 'Document',
    card: 'title',
    className: 'font-semibold',
    cell: ({ kind, document, document_id }) =>
      kind === 'invoice' ? (
        <Link to="/admin/invoices/$id" params={{ id: document_id }} className={PAGE_LINK}>
          {document}
        </Link>
      ) : (
        document
      ),
  },
  { header: 'Name', card: 'line', cell: ({ party }) => party },
  {
    header: 'Tax number',
    cell: ({ tin }) => tin ?? <Badge tone="orange">Missing</Badge>,
  },
  {
    header: 'Without VAT',
    className: AMOUNT,
    cell: ({ net, currency }) => formatMoney(net, currency),
  },
  { header: 'VAT', className: AMOUNT, cell: ({ vat, currency }) => formatMoney(vat, currency) },
];

const FILE_COLUMNS: TableColumn<VatLine>[] = [
  { heading: 'Box', value: ({ box }) => BOX_LABELS[box] },
  { heading: 'Day', kind: 'day', value: ({ day }) => day },
  { heading: 'Document', value: ({ document }) => document },
  { heading: 'Name', value: ({ party }) => party },
  { heading: 'Tax Number', value: ({ tin }) => tin },
  { heading: 'Currency', value: ({ currency }) => currency },
  { heading: 'Without VAT', kind: 'amount', value: ({ net }) => String(net) },
  { heading: 'Rate', value: ({ rate }) => (rate === null ? '' : String(rate)) },
  { heading: 'VAT', kind: 'amount', value: ({ vat }) => String(vat) },
];

function figuresOf({ vatReturn, lines }: OpenedReturn): [string, string][] {
  const { brought_forward, due } = vatReturn;
  return [
    ...boxesOf(lines).map(({ box, currency, net, vat }): [string, string] => [
      `${BOX_LABELS[box]}, ${formatMoney(net, currency)}`,
      formatMoney(vat, currency),
    ]),
    ...(brought_forward === 0
      ? []
      : [
          ['Credit brought forward', formatMoney(brought_forward, 'LRD')] satisfies [
            string,
            string,
          ],
        ]),
    [(due ?? 0) < 0 ? 'Credit carried forward' : 'Due', formatMoney(Math.abs(due ?? 0), 'LRD')],
  ];
}

function PrepareButton({ month, isAgain }: { month: string; isAgain: boolean }) {
  const { mutateAsync } = usePrepare();
  const { save, busy } = useSave({ success: 'Return prepared', failure: 'Return not prepared' });
  return (
    <Button
      variant={isAgain ? 'secondary' : 'primary'}
      busy={busy}
      onClick={() => void save(() => mutateAsync(month))}
    >
      {isAgain ? 'Prepare Again' : 'Prepare Return'}
    </Button>
  );
}

function Steps({ opened }: { opened: OpenedReturn }) {
  const [step, setStep] = useState<'file' | 'pay' | 'reopen'>();
  const { user } = useAuth();
  const { vatReturn } = opened;
  const { status, month, filed_by } = vatReturn;
  const isOver = month.slice(0, 7) < today().slice(0, 7);
  const isOwn = filed_by === user?.id;
  const close = () => setStep(undefined);
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {status === 'prepared' && (
          <>
            <PrepareButton month={month} isAgain />
            <Button disabled={!isOver} onClick={() => setStep('file')}>
              File Return
            </Button>
            {!isOver && <p className="text-sm text-muted">It is filed when the month is over.</p>}
          </>
        )}
        {status === 'filed' && <Button onClick={() => setStep('pay')}>Note Payment</Button>}
        {status !== 'prepared' && (
          <>
            <Button variant="secondary" disabled={isOwn} onClick={() => setStep('reopen')}>
              {status === 'paid' ? 'Take Payment Back' : 'Reopen Return'}
            </Button>
            {isOwn && (
              <p className="text-sm text-muted">
                You filed it: another admin or finance officer takes it back.
              </p>
            )}
          </>
        )}
      </div>
      {step === 'file' && <FileDialog vatReturn={vatReturn} onClose={close} />}
      {step === 'pay' && <PayDialog vatReturn={vatReturn} onClose={close} />}
      {step === 'reopen' && <ReopenDialog vatReturn={vatReturn} onClose={close} />}
    </>
  );
}

function storyOf({
  filed_on,
  filed_reference,
  paid_on,
  paid_usd,
  paid_lrd,
}: OpenedReturn['vatReturn']) {
  return [
    filed_on && `Filed ${formatDay(filed_on)}, reference ${filed_reference}.`,
    paid_on && `Paid ${formatDay(paid_on)}: ${inBoth(paid_usd, paid_lrd)}.`,
  ]
    .filter(Boolean)
    .join(' ');
}

function Opened({ opened }: { opened: OpenedReturn }) {
  const { vatReturn, lines } = opened;
  const { month, status, lrd_per_usd } = vatReturn;
  const name = `vat-${month.slice(0, 7)}`;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <State status={status} /> {storyOf(vatReturn)}{' '}
          <span className="text-sm text-muted">
            {formatMoney(lrd_per_usd, 'LRD')} for one US$ on the last day.
          </span>
        </p>
        <div className="flex flex-wrap gap-3">
          <ExportButton
            exportRecords={(format) => downloadTable(format, name, FILE_COLUMNS, lines)}
          />
          <PdfButton
            name={name}
            load={async () => {
              const { vatReturnPdf } = await import('./return-pdf.ts');
              return () => vatReturnPdf(opened);
            }}
          />
        </div>
      </div>
      <Figures figures={figuresOf(opened)} />
      <Steps opened={opened} />
      {lines.length === 0 && <EmptyNote>No invoice, credit note or expense with VAT</EmptyNote>}
      {VAT_RETURN_LINES_BOX.filter((box) => lines.some((line) => line.box === box)).map((box) => (
        <Panel key={box} title={BOX_LABELS[box]}>
          <DataTable
            label={BOX_LABELS[box]}
            dense
            columns={LINE_COLUMNS}
            rows={lines.filter((line) => line.box === box)}
            rowId={({ id }) => id}
            room={52}
          />
        </Panel>
      ))}
    </div>
  );
}

function Return({ month }: { month: string }) {
  return (
    <Loaded query={useVatReturn(month)} loadingText="Loading the return...">
      {(opened) =>
        opened ? (
          <Opened opened={opened} />
        ) : (
          <div className="grid justify-items-start gap-3">
            <p className="max-w-prose">
              The return collects the invoices and credit notes of the month, and expenses whose VAT
              is claimed. It can be prepared as often as you like until it is filed.
            </p>
            <PrepareButton month={month} isAgain={false} />
          </div>
        )
      }
    </Loaded>
  );
}

function NothingToFile() {
  const { data: registrations = [] } = useRegistrations();
  const first = registrations.at(-1)?.registered_from;
  return (
    <EmptyNote>
      {first === undefined
        ? 'Nothing to file: the company is not registered for VAT.'
        : `The registration begins on ${formatDay(first)}. The first return is that of ${nameOf(first)}.`}
    </EmptyNote>
  );
}

type ReturnsPanelProps = { search: VatSearch; onChange: ChangeSearch<VatSearch> };

/** The months with a return, and the one that is open. */
export function ReturnsPanel({ search, onChange }: ReturnsPanelProps) {
  const months = useVatMonths();
  const { month } = search;
  if (month !== undefined) {
    return (
      <div className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h2 className="font-display text-2xl">{nameOf(`${month}-01`)}</h2>
          <Button variant="secondary" onClick={() => onChange({ month: undefined })}>
            All months
          </Button>
        </div>
        <Return key={month} month={`${month}-01`} />
      </div>
    );
  }
  return (
    <Loaded query={months} loadingText="Loading the returns...">
      {(rows) =>
        rows.length === 0 ? (
          <NothingToFile />
        ) : (
          <DataTable
            label="Returns of VAT"
            columns={MONTH_COLUMNS}
            rows={rows}
            rowId={(row) => row.month}
            onOpen={(row) => onChange({ month: row.month.slice(0, 7) })}
            room={44}
          />
        )
      }
    </Loaded>
  );
}
