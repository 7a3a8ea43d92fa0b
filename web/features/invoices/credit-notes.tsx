import { FileText } from 'lucide-react';
import { formatMoney } from '#shared/money.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { download } from '#web/lib/files/download.ts';
import { formatDay } from '#web/lib/format/dates.ts';
import { printedNoteOf } from './rules.ts';
import type { CreditNote, Invoice } from './schema.ts';

type NoteProps = { note: CreditNote; invoice: Invoice };

function Note({ note, invoice }: NoteProps) {
  const { save, busy } = useSave({ failure: 'PDF not made' });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{note.number}</p>
        <p className="text-sm break-words text-muted">
          {formatDay(note.issued_on)}. {note.reason}
        </p>
      </div>
      <span className="font-semibold tabular-nums">{formatMoney(note.amount, note.currency)}</span>
      <Button
        variant="secondary"
        aria-label={`PDF of ${note.number}`}
        busy={busy}
        onClick={() =>
          void save(async () => {
            const { creditNotePdf } = await import('#shared/documents/credit-note-pdf.ts');
            const printed = printedNoteOf(note, invoice);
            download(`${printed.number}.pdf`, creditNotePdf(printed).pdf.output('blob'));
          })
        }
      >
        {!busy && <FileText aria-hidden="true" className="size-4.5" />}
        PDF
      </Button>
    </li>
  );
}

/** What was taken back from an invoice. */
export function CreditNotes({ notes, invoice }: { notes: CreditNote[]; invoice: Invoice }) {
  if (notes.length === 0) return null;
  return (
    <section aria-labelledby="credit-notes">
      <h3 id="credit-notes" className="mb-1 font-display text-lg">
        Credit Notes
      </h3>
      <ul className="divide-y divide-line border-y border-line">
        {notes.map((note) => (
          <Note key={note.id} note={note} invoice={invoice} />
        ))}
      </ul>
    </section>
  );
}
