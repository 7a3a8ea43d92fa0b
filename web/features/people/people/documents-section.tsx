import { useQuery } from '@tanstack/react-query';
import { ExternalLink, FileUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { FileInput } from '#web/components/form/file-input.tsx';
import { useSave } from '#web/components/form/use-save.ts';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { LoadedCard } from '#web/components/ui/loaded-card.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { ITEM } from '#web/components/ui/section-row.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { peopleKey } from '#web/lib/data/keys.ts';
import { useChange } from '#web/lib/data/use-change.ts';
import { storableName } from '#web/lib/files/upload-file.ts';
import { formatBytes } from '#web/lib/format/bytes.ts';
import { formatInstantDay } from '#web/lib/format/dates.ts';
import { supabase } from '#web/lib/supabase/client.ts';

/** The bucket's limit. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Long enough to open a file on a slow line. */
const LINK_SECONDS = 300;

const documents = () => supabase().storage.from('people');

async function fetchDocuments(id: string) {
  const { data, error } = await documents().list(id, {
    limit: 100,
    sortBy: { column: 'created_at', order: 'desc' },
  });
  if (error) throw error;
  return data;
}

async function addDocument({ id, file }: { id: string; file: File }): Promise<void> {
  const { error } = await documents().upload(`${id}/${storableName(file.name)}`, file);
  if (error?.message.includes('already exists')) {
    throw new Error('There is a document with this name already. Rename the file.');
  }
  if (error) throw error;
}

async function removeDocument(path: string): Promise<void> {
  const { error } = await documents().remove([path]);
  if (error) throw error;
}

async function openDocument(path: string): Promise<void> {
  // Opened before the request: browsers block windows that open later.
  const page = window.open('about:blank', '_blank');
  const { data, error } = await documents().createSignedUrl(path, LINK_SECONDS);
  if (error) page?.close();
  if (error) throw error;
  if (page) page.location.href = data.signedUrl;
  else location.assign(data.signedUrl);
}

function AddDocument({ id }: { id: string }) {
  const input = useRef<HTMLInputElement>(null);
  const { mutateAsync } = useChange(peopleKey, addDocument);
  const { save, busy } = useSave({ success: 'Document added' });
  function choose(file: File) {
    if (file.size > MAX_BYTES) {
      showError('Error', 'A document may have at most 10 MB. Choose a smaller file.');
      return;
    }
    void save(() => mutateAsync({ id, file }));
  }
  return (
    <div className="border-t border-line px-4 py-3 sm:px-5">
      <FileInput ref={input} label="Document" accept="image/*,application/pdf" onChoose={choose} />
      <Button variant="secondary" busy={busy} onClick={() => input.current?.click()}>
        {!busy && <FileUp aria-hidden="true" className="size-4" />}
        {busy ? 'Adding...' : 'Add document'}
      </Button>
    </div>
  );
}

/** Contract, ID, police clearance: for people managers. */
export function DocumentsSection({ id }: { id: string }) {
  const query = useQuery({
    queryKey: [...peopleKey, id, 'documents'],
    queryFn: () => fetchDocuments(id),
  });
  const [deleting, setDeleting] = useState<string>();
  const remove = useChange(peopleKey, removeDocument);
  const { save } = useSave();
  return (
    <LoadedCard title="Documents" query={query} loadingText="Loading documents...">
      {(files) => (
        <>
          {files.length === 0 && (
            <p className="px-4 py-8 text-center text-muted">No documents on file.</p>
          )}
          <ul className="divide-y divide-line">
            {files.map(({ name, created_at, metadata }) => (
              <li key={name} className={ITEM}>
                <span className="min-w-0 flex-1">
                  <span className="block font-semibold [overflow-wrap:anywhere]">{name}</span>
                  <SecondLine wraps>
                    {created_at && formatInstantDay(created_at)}
                    {typeof metadata?.size === 'number' && `, ${formatBytes(metadata.size)}`}
                  </SecondLine>
                </span>
                <span className="-my-1.5 flex">
                  <IconButton
                    title="Open"
                    label={`Open ${name}`}
                    Icon={ExternalLink}
                    onClick={() => void save(() => openDocument(`${id}/${name}`))}
                  />
                  <IconButton
                    variant="danger-ghost"
                    title="Delete"
                    label={`Delete ${name}`}
                    Icon={Trash2}
                    onClick={() => setDeleting(name)}
                  />
                </span>
              </li>
            ))}
          </ul>
          <AddDocument id={id} />
          {deleting && (
            <ConfirmDialog
              title="Delete Document"
              question={`Are you sure you want to delete ${deleting}?`}
              confirmLabel="Delete"
              busyLabel="Deleting..."
              success="Document deleted"
              onConfirm={() => remove.mutateAsync(`${id}/${deleting}`)}
              onClose={() => setDeleting(undefined)}
            >
              The file is gone for good.
            </ConfirmDialog>
          )}
        </>
      )}
    </LoadedCard>
  );
}
