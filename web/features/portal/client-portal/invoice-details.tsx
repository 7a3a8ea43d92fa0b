import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { printedAmount, printedCharge, taxTotals } from '#shared/documents/printed-invoice.ts';
import { formatMoney } from '#shared/money.ts';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { DayText } from '#web/components/text/date-text.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { DisclosureButton, DisclosureMark } from '#web/components/ui/disclosure.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { ScrollRegion } from '#web/components/ui/panel.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDay, formatMinutes } from '#web/lib/format/dates.ts';
import { invoiceQuery, type Line, lineDaysQuery, type OpenedInvoice } from './invoices-api.ts';

function Days({ line }: { line: Line }) {
  return (
    <Loaded query={useQuery(lineDaysQuery(line.id))} loadingText="Loading the days">
      {(days) => (
        <ScrollRegion label={`Days of ${line.description}`}>
          <table className="mb-3 w-full max-w-md text-left text-sm tabular-nums">
            <caption className="sr-only">Days of {line.description}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">Day</th>
                <th scope="col">Guards</th>
                <th scope="col">Hours</th>
              </tr>
            </thead>
            <tbody className="divide-y divide-line border-y border-line">
              {days.map(({ day, minutes, guards }) => (
                <tr key={day}>
                  <th scope="row" className="py-1.5 font-normal">
                    <DayText day={day} />
                  </th>
                  <td className="px-3 py-1.5 text-right whitespace-nowrap text-muted">
                    {guards === 1 ? '1 guard' : `${guards} guards`}
                  </td>
                  <td className="py-1.5 text-right font-semibold whitespace-nowrap">
                    {formatMinutes(minutes)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </Loaded>
  );
}

/** @returns what the line is about, without its site, which is the heading above it */
const nameOf = ({ site, description }: Line) =>
  site !== null && description.startsWith(`${site}, `)
    ? description.slice(site.length + 2)
    : description;

function LineRow({ line, currency }: { line: Line; currency: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { is_credited: isCredited, has_days: hasDays } = line;
  const name = nameOf(line);
  return (
    <li>
      <div className="relative flex items-baseline justify-between gap-x-4 py-2.5 has-[button]:py-1">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 font-semibold break-words">
            {hasDays ? (
              <DisclosureButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
                {name}
                {/* Not alone on a line. */}
                <span className="whitespace-nowrap">
                  {'\u00a0'}
                  <DisclosureMark isOpen={isOpen} className="inline size-4" />
                </span>
              </DisclosureButton>
            ) : (
              name
            )}
            {isCredited && <Badge tone="grey">Credited</Badge>}
          </p>
          <p className="text-sm tabular-nums text-muted">{printedCharge(line, currency)}</p>
        </div>
        <p className="font-semibold tabular-nums whitespace-nowrap">
          {formatMoney(printedAmount(line), currency)}
        </p>
      </div>
      <div id={id}>{isOpen && <Days line={line} />}</div>
    </li>
  );
}

type CreditNote = OpenedInvoice['credit_notes'][number];

function CreditNotePdf({ note, invoice }: { note: CreditNote; invoice: OpenedInvoice }) {
  const { currency, bill_to, vat_number, number: invoice_number } = invoice;
  return (
    <PdfButton
      label={`PDF of ${note.number}`}
      name={note.number}
      load={async () => {
        const { creditNotePdf } = await import('#shared/documents/credit-note-pdf.ts');
        return () => creditNotePdf({ ...note, currency, bill_to, vat_number, invoice_number });
      }}
    />
  );
}

type Entry = {
  key: string;
  text: string;
  amount: number | string;
  isStrong?: boolean;
  note?: CreditNote;
};

/** @returns what follows the lines: sums, then what was credited and paid */
function entriesOf(invoice: OpenedInvoice): Entry[] {
  const { subtotal, total, currency, lines, open_amount, credit_notes, receipts } = invoice;
  const taxes = taxTotals(lines, currency);
  const isSettled = credit_notes.length + receipts.length > 0;
  return [
    ...(taxes.length === 0 ? [] : [{ key: 'subtotal', text: 'Subtotal', amount: subtotal }]),
    ...taxes.map(({ label, amount }) => ({ key: label, text: label, amount })),
    { key: 'total', text: 'Total', amount: total, isStrong: true },
    ...credit_notes.map((note) => ({
      key: note.number,
      text: `${note.number} of ${formatDay(note.issued_on)}: ${note.reason}`,
      amount: -note.amount,
      note,
    })),
    ...receipts.map(({ received_on, method, reference, amount }, index) => ({
      key: `receipt ${index}`,
      text: `${method} of ${formatDay(received_on)}${reference ? `, ${reference}` : ''}`,
      amount: -amount,
    })),
    ...(isSettled
      ? [{ key: 'open', text: 'Still open', amount: open_amount, isStrong: true }]
      : []),
  ];
}

/** Where what is open is paid to, as on the PDF. */
function HowToPay({ invoice }: { invoice: OpenedInvoice }) {
  const { open_amount, number, pay_to } = invoice;
  if (open_amount <= 0 || pay_to.accounts.length === 0) return null;
  return (
    <section aria-label={`How to pay ${number}`}>
      <h3 className="mb-1 font-display text-lg">How to pay</h3>
      <ul className="grid gap-1.5">
        {pay_to.accounts.map(({ kind, provider, number: account, title, note }) => (
          <li key={`${kind} ${provider} ${account}`} className="break-words">
            <span className="font-semibold">{provider}</span>, {account}, {title}
            {note && <span className="block text-sm text-muted">{note}</span>}
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-sm text-muted">Reference: {number}</p>
    </section>
  );
}

function Details({ invoice }: { invoice: OpenedInvoice }) {
  const { lines, currency } = invoice;
  const sites = [...new Set(lines.map(({ site }) => site))].sort(
    (a, b) => Number(a === null) - Number(b === null),
  );
  return (
    <div className="mt-4 grid grid-cols-1 gap-5">
      {sites.map((site) => (
        <section key={site} aria-label={site ?? 'Other'}>
          <h3 className="font-display text-lg">{site ?? 'Other'}</h3>
          <ul className="divide-y divide-line border-y border-line">
            {lines
              .filter((line) => line.site === site)
              .map((line) => (
                <LineRow key={line.id} line={line} currency={currency} />
              ))}
          </ul>
        </section>
      ))}
      <dl className="grid grid-cols-1 gap-1.5">
        {entriesOf(invoice).map(({ key, text, amount, isStrong = false, note }) => (
          <div
            key={key}
            className={cn('flex items-start justify-between gap-4', isStrong && 'font-semibold')}
          >
            <dt className={cn('min-w-0 break-words', !isStrong && 'text-muted')}>
              {text}
              {note && (
                <div className="mt-1.5 mb-1 print:hidden">
                  <CreditNotePdf note={note} invoice={invoice} />
                </div>
              )}
            </dt>
            <dd className="tabular-nums whitespace-nowrap">{formatMoney(amount, currency)}</dd>
          </div>
        ))}
      </dl>
      <HowToPay invoice={invoice} />
      {invoice.note && <p className="break-words whitespace-pre-line">{invoice.note}</p>}
    </div>
  );
}

/** The lines by site; those of hours open to their days. */
export function InvoiceDetails({ id }: { id: string }) {
  return (
    <Loaded query={useQuery(invoiceQuery(id))} loadingText="Loading the lines">
      {(invoice) => <Details invoice={invoice} />}
    </Loaded>
  );
}
