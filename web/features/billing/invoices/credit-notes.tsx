import { formatMoney } from '#shared/money.ts';
import { PdfButton } from '#web/components/form/pdf-button.tsx';
import { formatDay } from '#web/lib/format/dates.ts';
import { toPrintedNote } from './rules.ts';
import type { CreditNote, Invoice } from './schema.ts';

type NoteProps = { note: CreditNote; invoice: Invoice };

function Note({ note, invoice }: NoteProps) {
  const printed = toPrintedNote(note, invoice);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{note.number}</p>
        <p className="text-sm break-words text-muted">
          {formatDay(note.issued_on)}. {note.reason}
        </p>
      </div>
      <span className="font-semibold tabular-nums">{formatMoney(note.amount, note.currency)}</span>
      <PdfButton
        label={`PDF of ${note.number}`}
        name={printed.number}
        load={async () => {
          const { creditNotePdf } = await import('#shared/documents/credit-note-pdf.ts');
          return () => creditNotePdf(printed);
        }}
      />
    </li>
  );
}

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
