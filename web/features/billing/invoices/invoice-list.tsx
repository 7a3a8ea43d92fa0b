import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Mail, Stamp } from 'lucide-react';
import { INVOICES_CURRENCY } from '#shared/database.values.ts';
import { formatMoney } from '#shared/money.ts';
import { DisputeBadge } from '#web/components/disputes/disputes.tsx';
import { type Column, moneyColumn, TOTAL } from '#web/components/list/columns.tsx';
import { choice } from '#web/components/list/filters.tsx';
import type { BulkActions } from '#web/components/list/list-actions.ts';
import { ListScreen } from '#web/components/list/list-screen.tsx';
import { TableRows } from '#web/components/list/table-rows.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { PAGE_LINK } from '#web/components/ui/page-link.ts';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { disputesOf, useOpenDisputes } from '#web/lib/data/disputes.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, formatPayPeriod } from '#web/lib/format/dates.ts';
import { toOptions } from '#web/lib/vocabulary/options.ts';
import { INVOICE_FILTERS, STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { AgeingTotals } from './ageing-totals.tsx';
import { invoiceList, issueInvoices, sendInvoices } from './api.ts';
import { CorrectionsNotice } from './corrections-notice.tsx';
import { DraftDialog } from './draft-dialog.tsx';
import { countOutcomes } from './rules.ts';
import { type Invoice, isOwed, shownStatus } from './schema.ts';
import type { InvoiceSearch } from './search.ts';
import { forgottenQuery } from './unbilled-api.ts';
import { UnbilledNotice } from './unbilled-notice.tsx';

const columns: Column<Invoice>[] = [
  {
    header: 'Client',
    card: 'title',
    sort: 'client',
    className: 'font-semibold',
    cell: (invoice) => (
      <>
        <Link to="/admin/invoices/$id" params={{ id: invoice.id }} className={PAGE_LINK}>
          {invoice.clients.name}
        </Link>
        <SecondLine>{invoice.number ?? 'No number yet'}</SecondLine>
      </>
    ),
  },
  {
    header: 'Period',
    sort: 'period',
    className: 'whitespace-nowrap',
    cell: (invoice) => formatPayPeriod(invoice.period_start, invoice.period_end),
  },
  {
    header: 'Due',
    sort: 'due',
    className: 'whitespace-nowrap',
    cell: (invoice) => (invoice.due_on ? formatDay(invoice.due_on) : '-'),
  },
  moneyColumn('Total', (invoice) => invoice.total, { sort: 'total' }),
  {
    header: 'Open',
    sort: 'open',
    className: TOTAL,
    cell: (invoice) =>
      invoice.status === 'draft' ? '-' : formatMoney(invoice.open_amount, invoice.currency),
  },
  {
    header: 'Status',
    card: 'aside',
    cell: (invoice) => <Status invoice={invoice} />,
  },
];

/** The status, and whether the client contests it. */
function Status({ invoice }: { invoice: Invoice }) {
  const { data: disputes = [] } = useOpenDisputes();
  const isContested = isOwed(invoice) && disputesOf(disputes, invoice).length > 0;
  return (
    <span className="flex flex-wrap items-center gap-1.5">
      <StatusBadge status={shownStatus(invoice)} />
      {isContested && <DisputeBadge />}
    </span>
  );
}

const FILTERS = [
  choice('status', 'Status', 'All statuses', toOptions(INVOICE_FILTERS, STATUS_LABELS)),
  choice(
    'currency',
    'Currency',
    'All currencies',
    INVOICES_CURRENCY.map((code) => [code, code]),
  ),
];

const actions: BulkActions<Invoice> = {
  noun: ['invoice', 'invoices'],
  nameOf: ({ clients, period_start }) => `${clients.name}, ${formatDay(period_start)}`,
  actions: [
    {
      label: 'Issue',
      icon: Stamp,
      appliesTo: ({ status }) => status === 'draft',
      leftOut: 'not drafts',
      consequence: (rows) =>
        `${rows.length === 1 ? 'The draft gets' : `The ${rows.length} drafts get`} the next numbers of the year and can’t be changed afterwards.`,
      run: (rows) => countOutcomes(issueInvoices(rows.map(({ id }) => id))),
      done: 'issued',
    },
    {
      label: 'Mail',
      icon: Mail,
      appliesTo: ({ status }) => status !== 'draft',
      leftOut: 'drafts',
      consequence: () => 'Each goes to the e-mail address of its contract, with the PDF.',
      run: (rows) => countOutcomes(sendInvoices({ ids: rows.map(({ id }) => id) })),
      done: 'on their way',
    },
  ],
};

type InvoiceListProps = { search: InvoiceSearch; onChange: ChangeSearch<InvoiceSearch> };

export function InvoiceList({ search, onChange }: InvoiceListProps) {
  const forgotten = useQuery(forgottenQuery);
  const navigate = useNavigate();
  return (
    <ListScreen
      {...invoiceList.useScreen(search, onChange)}
      title="Invoices"
      subtitle="Calculated from approved hours and the contract. Every line opens to its clock events."
      addLabel="Draft Invoices"
      searchLabel="Search by client or number"
      filters={FILTERS}
      noMatch="No invoices match"
      notice={
        <>
          <UnbilledNotice />
          <CorrectionsNotice />
        </>
      }
      noticeQuery={forgotten}
      summary={<AgeingTotals />}
      summaryLabel="What is open"
      bulk={actions}
      Table={TableRows}
      columns={columns}
      dialog={({ onClose }) => (
        <DraftDialog
          onClose={onClose}
          onOnlyOne={(id) => void navigate({ to: '/admin/invoices/$id', params: { id } })}
        />
      )}
    />
  );
}
