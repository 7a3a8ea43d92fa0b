import { useQueryClient } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { lazy, useId, useState } from 'react';
import { formatMoney, parseCents } from '#shared/money.ts';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDay, formatPeriod, today } from '#web/lib/format/dates.ts';
import { STATUS_LABELS, STATUS_TONES, type Tone } from '#web/lib/vocabulary/statuses.ts';
import { type Invoice, invoiceQuery } from './invoices-api.ts';

const InvoiceDetails = lazy(async () => ({
  default: (await import('./invoice-details.tsx')).InvoiceDetails,
}));

type Amounts = Pick<Invoice, 'open_amount' | 'due_on' | 'status'>;

/** @returns what the badge of an invoice says @param day yyyy-MM-dd of today */
export function describeState(
  { open_amount, due_on, status }: Amounts,
  day: string,
): [string, Tone] {
  if (parseCents(open_amount) > 0n && due_on < day) return ['Overdue', 'red'];
  if (status === 'part_paid' || status === 'paid' || status === 'credited')
    return [STATUS_LABELS[status], STATUS_TONES[status]];
  return ['Open', 'blue'];
}

type InvoiceCardProps = {
  invoice: Invoice;
  /** Whether the list has invoices of another client. */
  hasOthers: boolean;
};

export function InvoiceCard({ invoice, hasOthers }: InvoiceCardProps) {
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { number, currency, due_on: due, total, open_amount: open } = invoice;
  const money = (amount: number) => formatMoney(amount, currency);
  const [label, tone] = describeState(invoice, today());
  const isUnpaid = parseCents(open) > 0n;
  return (
    <Card className="break-inside-avoid p-4 sm:p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
            {number}
            <Badge tone={tone}>{label}</Badge>
          </h2>
          <p className="mt-0.5 text-sm text-muted">
            {formatPeriod(invoice.period_start, invoice.period_end)}
            {hasOthers && `, ${invoice.client_name}`}
          </p>
          <p className="text-sm text-muted">
            {isUnpaid ? `Due ${formatDay(due)}` : `Issued ${formatDay(invoice.issued_on)}`}
          </p>
        </div>
        <div className="ml-auto text-right tabular-nums">
          <p className="text-lg leading-tight font-semibold">{money(isUnpaid ? open : total)}</p>
          {isUnpaid && parseCents(open) !== parseCents(total) && (
            <p className="text-sm text-muted">open of {money(total)}</p>
          )}
        </div>
      </div>
      <div className="mt-3 flex flex-wrap gap-3 print:hidden">
        <Button
          variant="secondary"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`Lines of ${number}`}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown
            aria-hidden="true"
            className={cn('size-4 transition-transform', isOpen && 'rotate-180')}
          />
          Lines
        </Button>
        <PdfButton
          label={`PDF of ${number}`}
          name={number}
          load={async () => {
            const [{ invoicePdf }, printed] = await Promise.all([
              import('#shared/documents/invoice-pdf.ts'),
              queryClient.fetchQuery({ ...invoiceQuery(invoice.id), staleTime: 60_000 }),
            ]);
            return () => invoicePdf(printed);
          }}
        />
      </div>
      <div id={id}>
        {isOpen && (
          <LazyPart fallback={<Loading />}>
            <InvoiceDetails id={invoice.id} />
          </LazyPart>
        )}
      </div>
    </Card>
  );
}
