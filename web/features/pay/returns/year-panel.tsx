import { useMutation } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import { useMemo } from 'react';
import { withFonts } from '#shared/documents/wide-font.ts';
import { formatMoney } from '#shared/money.ts';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { AMOUNT, type Column } from '#web/components/list/columns.tsx';
import { DataTable } from '#web/components/list/data-table.tsx';
import { ExportButton } from '#web/components/list/list-buttons.tsx';
import { Pager, usePages } from '#web/components/list/pager.tsx';
import { ReturnState } from '#web/components/tax-return/return-steps.tsx';
import { inBoth } from '#web/components/tax-return/tax-return.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { showError } from '#web/components/ui/toast.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { PAGE_SIZE } from '#web/lib/data/pages.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { download } from '#web/lib/files/download.ts';
import { downloadTable } from '#web/lib/files/download-table.ts';
import type { TableColumn } from '#web/lib/files/write-table.ts';
import { formatMonths } from '#web/lib/format/dates.ts';
import { fetchAllCertificates, useCertificates, useCompanyNumbers, useReturnYear } from './api.ts';
import {
  type Certified,
  type CompanyNumbers,
  changesOf,
  RETURN_LABELS,
  type ReturnYear,
  yearSums,
} from './schema.ts';
import { RETURN_KINDS, type ReturnKind, type ReturnSearch } from './search.ts';

const nameOf = ({ month }: ReturnYear) => formatMonths(month, month);

function Difference({ month }: { month: ReturnYear }) {
  const changes = changesOf(month);
  if (changes.length === 0) return '-';
  return (
    <Badge tone="orange">
      {changes.map(({ currency, more }) => formatMoney(more, currency)).join(', ')}
    </Badge>
  );
}

const MONTH_COLUMNS: Column<ReturnYear>[] = [
  { header: 'Month', card: 'title', className: 'font-semibold', cell: nameOf },
  { header: 'State', card: 'aside', cell: ({ status }) => <ReturnState status={status} /> },
  {
    header: 'Locked runs',
    className: AMOUNT,
    cell: ({ runs_usd, runs_lrd }) => inBoth(runs_usd, runs_lrd),
  },
  {
    header: 'Filed',
    className: AMOUNT,
    cell: ({ filed_on, filed_usd, filed_lrd }) =>
      filed_on === null ? '-' : inBoth(filed_usd, filed_lrd),
  },
  { header: 'Difference', className: AMOUNT, cell: (month) => <Difference month={month} /> },
  {
    header: 'Due',
    className: AMOUNT,
    cell: ({ due }) => (due === null ? '-' : formatMoney(due, 'LRD')),
  },
  {
    header: 'Paid',
    className: AMOUNT,
    cell: ({ paid_on, paid_usd, paid_lrd }) =>
      paid_on === null ? '-' : inBoth(paid_usd, paid_lrd),
  },
];

const FILE_COLUMNS: TableColumn<ReturnYear>[] = [
  { heading: 'Month', value: nameOf },
  { heading: 'Locked Runs USD', kind: 'amount', value: ({ runs_usd }) => String(runs_usd) },
  { heading: 'Locked Runs LRD', kind: 'amount', value: ({ runs_lrd }) => String(runs_lrd) },
  { heading: 'Filed USD', kind: 'amount', value: ({ filed_usd }) => String(filed_usd) },
  { heading: 'Filed LRD', kind: 'amount', value: ({ filed_lrd }) => String(filed_lrd) },
  { heading: 'Due LRD', kind: 'amount', value: ({ due }) => (due === null ? '' : String(due)) },
  { heading: 'Paid USD', kind: 'amount', value: ({ paid_usd }) => String(paid_usd) },
  { heading: 'Paid LRD', kind: 'amount', value: ({ paid_lrd }) => String(paid_lrd) },
  { heading: 'Filed On', kind: 'day', value: ({ filed_on }) => filed_on },
  { heading: 'Paid On', kind: 'day', value: ({ paid_on }) => paid_on },
];

/** Not the months before the first return in which nobody was paid by a run. */
const isShown = ({ status, runs_usd, runs_lrd }: ReturnYear) =>
  status !== 'elsewhere' || runs_usd !== 0 || runs_lrd !== 0;

type MonthsProps = { kind: ReturnKind; year: string; onChange: ChangeSearch<ReturnSearch> };

function Months({ kind, year, onChange }: MonthsProps) {
  return (
    <Panel title={`${RETURN_LABELS[kind]}, ${year}`}>
      <Loaded query={useReturnYear(kind, year)} loadingText="Loading the year...">
        {(all) => {
          const months = all.filter(isShown);
          return months.length === 0 ? (
            <EmptyNote>No return in this year</EmptyNote>
          ) : (
            <div className="grid grid-cols-1 gap-3">
              <DataTable
                label={`${RETURN_LABELS[kind]}, ${year}`}
                dense
                columns={MONTH_COLUMNS}
                rows={months}
                rowId={({ month }) => month}
                onOpen={({ month }) =>
                  onChange({ tab: undefined, kind, month: month.slice(0, 7), page: undefined })
                }
                room={52}
              />
              <div className="justify-self-end">
                <ExportButton
                  exportRecords={(format) =>
                    downloadTable(format, `${kind}-${year}`, FILE_COLUMNS, months)
                  }
                />
              </div>
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}

const lines = (row: Certified, of: (sum: ReturnType<typeof yearSums>[number]) => string) =>
  yearSums(row).map((sum) => (
    <span key={sum.currency} className="block">
      {formatMoney(of(sum), sum.currency)}
    </span>
  ));

function certificateColumns(year: string, numbers: CompanyNumbers): Column<Certified>[] {
  return [
    {
      header: 'Name',
      card: 'title',
      className: 'font-semibold',
      cell: (row) => <PersonLink id={row.staff_id} name={row.full_name} />,
    },
    { header: 'Gross Pay', className: AMOUNT, cell: (row) => lines(row, ({ gross }) => gross) },
    { header: 'Income Tax', className: AMOUNT, cell: (row) => lines(row, ({ tax }) => tax) },
    {
      header: 'NASSCORP',
      className: AMOUNT,
      cell: (row) => lines(row, ({ employee }) => employee),
    },
    {
      header: 'By Employer',
      className: AMOUNT,
      cell: (row) => lines(row, ({ employer }) => employer),
    },
    {
      header: 'Certificate',
      card: 'aside',
      className: 'text-right',
      cell: (row) => (
        <PdfButton
          label={`Certificate of ${row.full_name}`}
          variant="ghost"
          name={`certificate-${year}-${row.full_name}`}
          load={async () => {
            const { certificatesPdf } = await import('./certificate-pdf.ts');
            return () => certificatesPdf(year, [row], numbers);
          }}
        />
      ),
    },
  ];
}

function AllButton({ year, numbers }: { year: string; numbers: CompanyNumbers }) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const [people, { certificatesPdf }] = await Promise.all([
        fetchAllCertificates(year),
        import('./certificate-pdf.ts'),
      ]);
      const paper = await withFonts(() => certificatesPdf(year, people, numbers));
      download(`certificates-${year}.pdf`, paper.pdf.output('blob'));
    },
    onError: (error) => showError('Error', describeError(error)),
  });
  return (
    <Button variant="secondary" busy={isPending} onClick={() => mutate()}>
      {!isPending && <FileDown aria-hidden="true" className="size-4.5" />} All Certificates
    </Button>
  );
}

type CertificatesProps = {
  year: string;
  numbers: CompanyNumbers;
  page: number;
  onChange: ChangeSearch<ReturnSearch>;
};

function Certificates({ year, numbers, page, onChange }: CertificatesProps) {
  const query = useCertificates(year, page);
  const columns = useMemo(() => certificateColumns(year, numbers), [year, numbers]);
  const { data } = query;
  const onPage = usePages(
    data && { rows: data.rows, total: data.count },
    page,
    PAGE_SIZE,
    onChange,
  );
  return (
    <Panel title={`Certificates of ${year}`}>
      <Loaded query={query} loadingText="Loading the certificates...">
        {({ rows, count }) =>
          count === 0 ? (
            <EmptyNote>No locked pay run ends in this year</EmptyNote>
          ) : (
            <>
              <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
                <p className="max-w-prose text-sm text-muted">
                  What each person was paid and what was withheld, by month. Locked pay runs only.
                </p>
                <AllButton year={year} numbers={numbers} />
              </div>
              <DataTable
                label={`Certificates of ${year}`}
                dense
                columns={columns}
                rows={rows}
                rowId={({ staff_id }) => staff_id}
              />
              <Pager page={page} pageSize={PAGE_SIZE} total={count} onPage={onPage} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

type YearPanelProps = { year: string; page: number; onChange: ChangeSearch<ReturnSearch> };

/** The months of a year beside its pay runs, and a certificate for each person. */
export function YearPanel({ year, page, onChange }: YearPanelProps) {
  return (
    <div className="grid grid-cols-1 gap-6">
      {RETURN_KINDS.map((kind) => (
        <Months key={kind} {...{ kind, year, onChange }} />
      ))}
      <Loaded query={useCompanyNumbers()} loadingText="Loading the certificates...">
        {(numbers) => <Certificates {...{ year, numbers, page, onChange }} />}
      </Loaded>
    </div>
  );
}
