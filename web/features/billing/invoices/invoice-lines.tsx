import { Trash2 } from 'lucide-react';
import { printedAmount, printedCharge } from '#shared/documents/printed-invoice.ts';
import { formatMoney, parseCents } from '#shared/money.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge } from '#web/components/ui/badge.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { EmptyNote } from '#web/components/ui/loaded.tsx';
import { type OpenedInvoice, useRemoveLine } from './api.ts';
import { isHours } from './rules.ts';
import type { InvoiceLine } from './schema.ts';

/** The lines by site, in the order of the invoice; those without a site come last. */
function bySite(lines: InvoiceLine[]) {
  const sites = [...new Set(lines.map((line) => line.sites?.name))];
  return sites
    .sort((a, b) => Number(a === undefined) - Number(b === undefined))
    .map((site) => ({ site, ofSite: lines.filter((line) => line.sites?.name === site) }));
}

function RemoveButton({ line }: { line: InvoiceLine }) {
  const { mutateAsync } = useRemoveLine();
  const { save, busy } = useSave({ success: 'Line removed', failure: 'Line not removed' });
  return (
    <IconButton
      variant="danger-ghost"
      title="Remove"
      label={`Remove ${line.description}`}
      Icon={Trash2}
      busy={busy}
      onClick={() => void save(() => mutateAsync(line.id))}
    />
  );
}

/** @returns a sentence about the tax of the line; nothing where it has none */
function taxOf(
  { vat_treatment, tax_name, tax_amount, price_with_tax }: InvoiceLine,
  currency: string,
) {
  const name = tax_name ?? 'Tax';
  if (vat_treatment === 'exempt') return ` Exempt from ${name}.`;
  if (vat_treatment === 'zero') return ` ${name} 0%.`;
  if (parseCents(tax_amount) === 0n) return '';
  return ` ${name}${price_with_tax === null ? '' : ' in it'}: ${formatMoney(tax_amount, currency)}.`;
}

type LineProps = Pick<OpenedInvoice, 'invoice' | 'creditNotes'> & {
  line: InvoiceLine;
  /** Opens the hours behind the line. */
  onOpen: ((line: InvoiceLine) => void) | undefined;
};

/** @returns how much of the line credit notes have taken back; undefined where none has */
function creditedOf(line: InvoiceLine, notes: OpenedInvoice['creditNotes']) {
  if (line.credited_at) return 'Credited';
  const isPart = notes.some(({ credit_note_lines }) =>
    credit_note_lines.some(({ invoice_lines }) => invoice_lines.id === line.id),
  );
  return isPart ? 'Partly credited' : undefined;
}

function Line({ invoice, line, creditNotes, onOpen }: LineProps) {
  const credited = creditedOf(line, creditNotes);
  const money = formatMoney(printedAmount(line), invoice.currency);
  const isOpened = onOpen && isHours(line);
  return (
    <li className="relative py-2.5">
      <div className="flex items-start justify-between gap-x-4 font-semibold">
        <span className="min-w-0 break-words">
          {isOpened ? (
            <button
              type="button"
              className="text-left underline decoration-accent/35 underline-offset-4 after:absolute after:inset-0 hover:decoration-accent"
              onClick={() => onOpen(line)}
            >
              {line.description}
            </button>
          ) : (
            line.description
          )}
          {credited && (
            <Badge tone="grey" className="ml-2">
              {credited}
            </Badge>
          )}
        </span>
        <span className="flex items-center gap-1 tabular-nums whitespace-nowrap">
          {money}
          {invoice.status === 'draft' && line.kind === 'other' && (
            <span className="-my-2.5">
              <RemoveButton line={line} />
            </span>
          )}
        </span>
      </div>
      <p className="text-sm text-pretty text-muted">
        <span className="mr-1 tabular-nums">{printedCharge(line, invoice.currency)}</span>{' '}
        {line.explanation}
        {taxOf(line, invoice.currency)}
      </p>
    </li>
  );
}

type InvoiceLinesProps = OpenedInvoice & Pick<LineProps, 'onOpen'>;

/** The lines by site, each with its figures and the sentence that explains it. */
export function InvoiceLines({ invoice, lines, creditNotes, onOpen }: InvoiceLinesProps) {
  if (lines.length === 0)
    return <EmptyNote>No lines. Add one, or draft the invoice again.</EmptyNote>;
  return (
    <div className="grid gap-6">
      {bySite(lines).map(({ site = 'Other', ofSite }) => (
        <section key={site} aria-label={site}>
          <h3 className="mb-1 font-display text-lg">{site}</h3>
          <ul className="divide-y divide-line border-y border-line">
            {ofSite.map((line) => (
              <Line key={line.id} {...{ invoice, line, creditNotes, onOpen }} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
