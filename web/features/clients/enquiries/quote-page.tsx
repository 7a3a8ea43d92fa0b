import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  printedAmount,
  printedCharge,
  printedDay,
  taxTotals,
} from '#shared/documents/printed-invoice.ts';
import { toPrintedLine } from '#shared/documents/printed-quote.ts';
import { formatMoney } from '#shared/money.ts';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Breadcrumbs } from '#web/components/layout/breadcrumbs.tsx';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Figures, Item } from '#web/components/ui/figures.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { Panel } from '#web/components/ui/panel.tsx';
import { ClientLink } from '#web/components/ui/place-links.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDateTime, formatDay } from '#web/lib/format/dates.ts';
import { QuoteActions, useMayTurn } from './quote-actions.tsx';
import { type OpenedQuote, useAnsweredEnquiry, useQuote, useSaveQuote } from './quote-api.ts';
import { QuoteFields } from './quote-form.tsx';
import {
  nameOf,
  type Quote,
  type QuoteForm,
  quoteSchema,
  shownStatus,
  toNewQuote,
  toQuoteForm,
} from './quote-schema.ts';
import type { QuoteSearch } from './search.ts';

type Crumb = { enquiryId: string | null; current: string };

function Trail({ enquiryId, current }: Crumb) {
  return (
    <Breadcrumbs
      trail={[
        { label: 'Enquiries', to: '/admin/enquiries' },
        ...(enquiryId === null
          ? []
          : [{ label: 'Enquiry', to: '/admin/enquiries', search: { open: enquiryId } } as const]),
      ]}
      current={current}
    />
  );
}

type EditorProps = {
  title: string;
  enquiryId: string;
  /** Undefined for a new quote. */
  quote: Quote | undefined;
  initial: QuoteForm;
  onSaved: (id: string) => void;
  onCancel: () => void;
};

function Editor({ title, enquiryId, quote, initial, onSaved, onCancel }: EditorProps) {
  const { mutateAsync } = useSaveQuote();
  // Chosen once, so that a repeated save is the same quote.
  const [id] = useState(() => quote?.id ?? crypto.randomUUID());
  const [seen] = useState(quote?.updated_at);
  return (
    <>
      <Trail enquiryId={enquiryId} current={title} />
      <ScreenHeading title={title} />
      <Card className="p-5 sm:p-8">
        <RecordForm
          schema={quoteSchema}
          defaultValues={initial}
          submitLabel="Save Draft"
          failure="Quote not saved"
          save={(form) => mutateAsync({ id, enquiryId, seen, form })}
          onSaved={() => {
            showSuccess('Draft saved');
            onSaved(id);
          }}
          onCancel={onCancel}
        >
          {(form) => <QuoteFields form={form} />}
        </RecordForm>
      </Card>
    </>
  );
}

function NewQuote({ enquiryId }: { enquiryId: string }) {
  const navigate = useNavigate();
  return (
    <Loaded
      query={useAnsweredEnquiry(enquiryId)}
      loadingText="Loading the enquiry..."
      missing="No such enquiry"
    >
      {(enquiry) => (
        <Editor
          title={`Quote for ${enquiry.company ?? enquiry.name}`}
          enquiryId={enquiryId}
          quote={undefined}
          initial={toNewQuote(enquiry)}
          onSaved={(id) =>
            void navigate({ to: '/admin/enquiries/quotes/$id', params: { id }, replace: true })
          }
          onCancel={() => void navigate({ to: '/admin/enquiries', search: { open: enquiryId } })}
        />
      )}
    </Loaded>
  );
}

function figuresOf({ currency, subtotal, total, quote_lines }: Quote) {
  const taxes = taxTotals(quote_lines.map(toPrintedLine), currency);
  return [
    ['Subtotal', formatMoney(subtotal, currency)],
    ...taxes.map(({ label, amount }): [string, string] => [label, formatMoney(amount, currency)]),
    ['Total of an average month', formatMoney(total, currency)],
  ] as const;
}

function Lines({ quote }: { quote: Quote }) {
  return (
    <Panel title="Posts">
      <ul className="divide-y divide-line">
        {quote.quote_lines.map((line) => {
          const printed = toPrintedLine(line);
          return (
            <li key={line.id} className="flex items-start justify-between gap-4 py-2.5">
              <div className="min-w-0">
                <p className="font-semibold break-words">{printed.description}</p>
                <p className="text-sm text-muted tabular-nums">
                  {printedCharge(printed, quote.currency)}
                </p>
              </div>
              <p className="font-semibold whitespace-nowrap tabular-nums">
                {formatMoney(printedAmount(printed), quote.currency)}
              </p>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}

function Facts({ quote }: { quote: OpenedQuote }) {
  const { contact_name, email, mailed_at, terms, reason } = quote;
  const facts: [name: string, fact: string | null][] = [
    ['Site', `${quote.site_name}, ${quote.site_address}`],
    ['From', formatDay(quote.starts_on)],
    ['Valid until', formatDay(quote.valid_until)],
    ['Payment', `${quote.payment_terms_days} days`],
    ['Contact', [contact_name, email].filter(Boolean).join(', ') || null],
    ['Sent', quote.sent_on && formatDay(quote.sent_on)],
    ['Mailed', mailed_at && formatDateTime(mailed_at)],
    ['Why it was declined', reason],
  ];
  return (
    <Panel title="Terms">
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2 lg:grid-cols-4">
        {facts.map(
          ([name, fact]) =>
            fact !== null && (
              <Item key={name} name={name}>
                {fact}
              </Item>
            ),
        )}
      </dl>
      {terms && <p className="mt-4 whitespace-pre-line">{terms}</p>}
    </Panel>
  );
}

/** Who may do the next step, where the user may not. */
function WaitingForAdmin({ quote }: { quote: Quote }) {
  const mayTurn = useMayTurn();
  if (mayTurn || quote.status !== 'accepted' || quote.contract_id !== null) return null;
  return (
    <Alert title="An administrator makes the contract">
      The administrators have a notice. An operations manager who also has the role finance can do
      it too.
    </Alert>
  );
}

function OpenedPage({ quote }: { quote: OpenedQuote }) {
  const [isEditing, setEditing] = useState(false);
  const { enquiry_id } = quote;
  const name = nameOf(quote);
  if (isEditing && enquiry_id !== null) {
    return (
      <Editor
        title={name === 'Draft' ? `Quote for ${quote.client_name}` : name}
        enquiryId={enquiry_id}
        quote={quote}
        initial={toQuoteForm(quote)}
        onSaved={() => setEditing(false)}
        onCancel={() => setEditing(false)}
      />
    );
  }
  return (
    <>
      <Trail enquiryId={enquiry_id} current={name} />
      <ScreenHeading
        title={name === 'Draft' ? `Draft for ${quote.client_name}` : name}
        subtitle={
          quote.client_id === null ? (
            quote.client_name
          ) : (
            <ClientLink id={quote.client_id} name={quote.client_name} />
          )
        }
      >
        <QuoteActions quote={quote} onEdit={() => setEditing(true)} />
      </ScreenHeading>
      <div className="grid gap-6">
        <p>
          <StatusBadge status={shownStatus(quote)} />
          {shownStatus(quote) === 'expired' && (
            <span className="ml-3 text-muted">
              Its last day was {printedDay(quote.valid_until)}. Send a new version.
            </span>
          )}
        </p>
        <WaitingForAdmin quote={quote} />
        <Figures figures={figuresOf(quote)} />
        <Lines quote={quote} />
        <Facts quote={quote} />
      </div>
    </>
  );
}

export function NewQuotePage({ search: { enquiry } }: { search: QuoteSearch }) {
  return enquiry === undefined ? (
    <Alert title="A quote answers an enquiry. Open the enquiry first." />
  ) : (
    <NewQuote key={enquiry} enquiryId={enquiry} />
  );
}

export function QuotePage({ id }: { id: string }) {
  return (
    <Loaded query={useQuote(id)} loadingText="Loading the quote..." missing="No such quote">
      {(quote) => <OpenedPage key={quote.id} quote={quote} />}
    </Loaded>
  );
}
