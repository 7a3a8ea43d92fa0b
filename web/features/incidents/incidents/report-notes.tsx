import { formatDateTime } from '#web/lib/format/dates.ts';

type ReportNotesProps = { notes: readonly { id: string; note: string; created_at: string }[] };

/** Oldest first. */
export function ReportNotes({ notes }: ReportNotesProps) {
  if (notes.length === 0) return null;
  return (
    <ul className="grid gap-3">
      {notes.map(({ id, note, created_at }) => (
        <li key={id} className="border-l-2 border-accent-fill pl-3">
          <p className="[overflow-wrap:anywhere] whitespace-pre-line">{note}</p>
          <time dateTime={created_at} className="text-sm text-muted">
            {formatDateTime(created_at)}
          </time>
        </li>
      ))}
    </ul>
  );
}
