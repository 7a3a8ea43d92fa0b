// The files of an entry that are not through, each with its state.
import type { OutboxEntry } from '#web/lib/outbox/entry.ts';
import { useEntryFiles } from '#web/lib/outbox/use-entry-files.ts';
import { FileState } from './file-state.tsx';

export function EntryFiles({ entry: { id, title } }: { entry: OutboxEntry }) {
  const files = useEntryFiles(id);
  if (files.length === 0) return null;
  return (
    <ul aria-label={`Files of ${title}`} className="mt-3 grid grid-cols-1 gap-2 text-sm">
      {files.map((file) => (
        <li key={file.name} className="rounded-sm border border-line px-3 py-2">
          <p className="truncate font-medium">{file.label}</p>
          <FileState entryId={id} file={file} />
        </li>
      ))}
    </ul>
  );
}
