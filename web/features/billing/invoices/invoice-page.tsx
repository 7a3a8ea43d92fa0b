import { taxTotals } from '#shared/documents/printed-invoice.ts';
import { formatMoney } from '#shared/money.ts';
import { DisputeNotices } from '#web/components/disputes/disputes.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Figures } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { disputesOf, useOpenDisputes } from '#web/lib/data/disputes.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { formatDay, formatPayPeriod } from '#web/lib/format/dates.ts';
import { useInvoice } from './api.ts';
import { CorrectionsNotice } from './corrections-notice.tsx';
import { CreditNotes } from './credit-notes.tsx';
import { HoursDialog } from './hours-dialog.tsx';
import { InvoiceActions } from './invoice-actions.tsx';
import { InvoiceLines } from './invoice-lines.tsx';
import { type Invoice, type InvoiceLine, problemsSchema, shownStatus } from './schema.ts';
import type { InvoicePageSearch } from './search.ts';

function figuresOf(invoice: Invoice, lines: InvoiceLine[]): [name: string, figure: string][] {
  const money = (amount: number | string | null) => formatMoney(amount, invoice.currency);
  const taxes = taxTotals(lines, invoice.currency);
  return [
    ['Subtotal', money(invoice.subtotal)],
    ...(taxes.length === 0
      ? [['Tax', money(invoice.tax)] satisfies [string, string]]
      : taxes.map(({ label, amount }): [string, string] => [label, money(amount)])),
    ['Total', money(invoice.total)],
    ['Credited', money(invoice.credited)],
    ['Paid', money(invoice.paid)],
    ['Open', invoice.status === 'draft' ? '-' : money(invoice.open_amount)],
  ];
}

type InvoicePageProps = {
  id: string;
  search: InvoicePageSearch;
  onChange: ChangeSearch<InvoicePageSearch>;
};

export function InvoicePage({ id, search, onChange }: InvoicePageProps) {
  const { data: disputes = [] } = useOpenDisputes();
  return (
    <Loaded query={useInvoice(id)} loadingText="Loading the invoice..." missing="No such invoice">
      {({ invoice, lines, creditNotes }) => {
        const problems = problemsSchema.catch([]).parse(invoice.problems);
        const period = formatPayPeriod(invoice.period_start, invoice.period_end);
        const name = invoice.number ?? `Draft for ${invoice.clients.name}`;
        const opened = lines.find((line) => line.id === search.open);
        return (
          <>
            <Breadcrumbs trail={[{ label: 'Invoices', to: '/admin/invoices' }]} current={name} />
            <ScreenHeading
              title={name}
              subtitle={
                <>
                  <ClientLink id={invoice.client_id} name={invoice.clients.name} />
                  {`, ${period}`}
                  {invoice.issued_on &&
                    invoice.due_on &&
                    `. Issued ${formatDay(invoice.issued_on)}, due ${formatDay(invoice.due_on)}.`}
                  {invoice.purchase_order && ` Order ${invoice.purchase_order}.`}
                </>
              }
            >
              <InvoiceActions {...{ invoice, lines, creditNotes }} problems={problems.length} />
            </ScreenHeading>
            <div className="grid gap-6">
              <p>
                <StatusBadge status={shownStatus(invoice)} />
              </p>
              <DisputeNotices disputes={disputesOf(disputes, invoice)} />
              <Figures figures={figuresOf(invoice, lines)} />
              {invoice.number && <CorrectionsNotice invoice={invoice.id} />}
              {problems.length > 0 && (
                <Alert title="Not billed, or not certain">
                  <ul className="mt-1 grid list-disc gap-1 pl-5">
                    {problems.map(({ text }) => (
                      <li key={text}>{text}</li>
                    ))}
                  </ul>
                </Alert>
              )}
              <InvoiceLines
                invoice={invoice}
                lines={lines}
                creditNotes={creditNotes}
                onOpen={(line) => onChange({ open: line.id })}
              />
              <CreditNotes invoice={invoice} notes={creditNotes} />
            </div>
            {opened && <HoursDialog line={opened} onClose={() => onChange({ open: undefined })} />}
          </>
        );
      }}
    </Loaded>
  );
}
