import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { incidentsKey } from '#web/lib/data/keys.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { isApplePhoto } from '#web/lib/photos/shrink-photo.ts';
import { supabase } from '#web/lib/supabase/client.ts';
import { type Attachment, prepareAttachment } from './attachment.ts';
import { ACCEPTED, findProblem } from './evidence-rules.ts';
import { sendEvidence } from './send-evidence.ts';

type Upload = {
  id: string;
  file: File;
  /** Share that is sent, 0 to 1. */
  share: number;
  /** Why sending failed. */
  problem: string | undefined;
  /** Sent as it is, though nobody will see a picture of it; undefined: the user has not been asked. */
  isUnseen?: boolean;
};

const UNSEEN = 'The office can’t show HEIC photos. Choose a JPEG, or send it without a picture.';

function useEvidenceUpload(incidentId: string) {
  const queryClient = useQueryClient();
  const [items, setItems] = useState<Upload[]>([]);
  /** Why files can't be evidence. */
  const [refused, setRefused] = useState<string[]>([]);
  /** One file at a time. */
  const queueTail = useRef(Promise.resolve());
  // A retry sends the same id, so that nothing is stored twice.
  const prepared = useRef(new Map<string, Attachment>());

  const update = (id: string, changed: Partial<Upload>) =>
    setItems((now) => now.map((item) => (item.id === id ? { ...item, ...changed } : item)));
  const discard = (id: string) => setItems((now) => now.filter((item) => item.id !== id));

  async function send({ id, file, isUnseen }: Upload) {
    try {
      const ready = prepared.current.get(id) ?? (await prepareAttachment(file));
      prepared.current.set(id, ready);
      if (isApplePhoto(ready) && !isUnseen) {
        update(id, { problem: UNSEEN, isUnseen: true });
        return;
      }
      await sendEvidence(supabase(), incidentId, ready, ready.content, (share) =>
        update(id, { share }),
      );
      await queryClient.invalidateQueries({ queryKey: incidentsKey });
      discard(id);
    } catch (error) {
      update(id, { problem: describeError(error) });
    }
  }
  function enqueue(item: Upload) {
    queueTail.current = queueTail.current.then(() => send(item));
  }
  return {
    items,
    refused,
    add(files: File[]) {
      setRefused(files.flatMap((file) => findProblem(file) ?? []));
      const chosen = files
        .filter((file) => findProblem(file) === undefined)
        .map((file) => ({ id: crypto.randomUUID(), file, share: 0, problem: undefined }));
      setItems((now) => [...now, ...chosen]);
      for (const item of chosen) enqueue(item);
    },
    retry(item: Upload) {
      update(item.id, { problem: undefined, share: 0 });
      enqueue(item);
    },
    discard,
  };
}

type UploadItemProps = { item: Upload; onRetry: () => void; onDiscard: () => void };

function UploadItem({ item, onRetry, onDiscard }: UploadItemProps) {
  const { file, share, problem } = item;
  const isAsked = problem === UNSEEN;
  return (
    <li className="rounded-sm border border-line p-3 text-sm">
      <p className="truncate font-medium">{file.name}</p>
      {problem === undefined ? (
        <progress
          aria-label={`Sending ${file.name}`}
          value={share}
          className="mt-2 block h-2 w-full accent-(--accent-fill)"
        />
      ) : (
        <div className="mt-1 flex flex-wrap items-center gap-2">
          <p role="alert" className="min-w-0 flex-1 basis-40 text-danger">
            {problem}
          </p>
          <Button variant="secondary" onClick={onRetry}>
            {isAsked ? 'Send Anyway' : 'Try again'}
          </Button>
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Discard ${file.name}`}
            onClick={onDiscard}
          >
            <X aria-hidden="true" className="size-4" />
          </Button>
        </div>
      )}
    </li>
  );
}

export function EvidenceUpload({ incidentId }: { incidentId: string }) {
  const { items, refused, add, retry, discard } = useEvidenceUpload(incidentId);
  return (
    <div className="grid gap-3">
      {items.length > 0 && (
        <ul aria-label="Files being sent" className="grid gap-2">
          {items.map((item) => (
            <UploadItem
              key={item.id}
              item={item}
              onRetry={() => retry(item)}
              onDiscard={() => discard(item.id)}
            />
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <Alert tone="danger" title="Not everything can be attached">
          {refused.join(' ')}
        </Alert>
      )}
      <Field label="Add photos or documents" hint="Up to 10 MB a file.">
        {(control) => (
          <Input
            {...control}
            type="file"
            multiple
            accept={ACCEPTED}
            className="p-1.5"
            onChange={({ target }) => {
              add([...(target.files ?? [])]);
              // So that the same file can be chosen again.
              target.value = '';
            }}
          />
        )}
      </Field>
    </div>
  );
}
