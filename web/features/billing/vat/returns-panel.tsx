import { Link } from '@tanstack/react-router';
import { VAT_RETURN_LINES_BOX } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import {
  PrepareButton,
  ReturnState,
  ReturnSteps,
} from '#web/components/tax-return/return-steps.tsx';
import { describeSteps, dueFigures, inBoth } from '#web/components/tax-return/tax-return.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { Panel } from '#web/components/ui/panel.tsx';
import { vatKey } from '#web/lib/data/keys.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { useRegistrations } from '#web/lib/data/vat-registrations.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { formatDay, formatMonths } from '#web/lib/format/dates.ts';
import {
  type OpenedReturn,
  useFile,
  usePay,
  usePrepare,
  useReopen,
  useVatMonths,
  useVatReturn,
} from './api.ts';
import { BOX_LABELS, boxesOf, type VatLine, type VatMonth } from './schema.ts';
import type { VatSearch } from './search.ts';

const nameOf = (month: string) => formatMonths(month, month);

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
  { header: 'State', card: 'aside', cell: ({ status }) => <ReturnState status={status} /> },
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
  return [
    ...boxesOf(lines).map(({ box, currency, net, vat }): [string, string] => [
      `${BOX_LABELS[box]}, ${formatMoney(net, currency)}`,
      formatMoney(vat, currency),
    ]),
    ...dueFigures(vatReturn),
  ];
}

function Steps({ vatReturn }: Pick<OpenedReturn, 'vatReturn'>) {
  const { month } = vatReturn;
  const [prepare, file, pay, reopen] = [usePrepare(), useFile(), usePay(), useReopen()];
  return (
    <ReturnSteps
      taxReturn={vatReturn}
      documentOf="vat_return"
      documentKey={vatKey}
      onPrepare={() => prepare.mutateAsync(month)}
      changes={{
        file: (form) => file.mutateAsync({ month, ...form }),
        pay: (form) => pay.mutateAsync({ month, form }),
        reopen: ({ reason }) => reopen.mutateAsync({ month, reason }),
      }}
    />
  );
}

function Opened({ opened }: { opened: OpenedReturn }) {
  const { vatReturn, lines } = opened;
  const { month, status, lrd_per_usd } = vatReturn;
  const name = `vat-${month.slice(0, 7)}`;
  return (
    <div className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>
          <ReturnState status={status} /> {describeSteps(vatReturn)}{' '}
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
      <Steps vatReturn={vatReturn} />
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
  const { mutateAsync } = usePrepare();
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
            <PrepareButton onPrepare={() => mutateAsync(month)} />
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
