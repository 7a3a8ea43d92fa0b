// Adds evidence to an incident later on: chosen files with how far they are, and a way to try again.
import { X } from 'lucide-react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { ACCEPTED } from '../../report/attachments/file-rules.ts';
import { type Sending, useEvidenceUpload } from './use-evidence-upload.ts';

type SendingItemProps = { item: Sending; onRetry: () => void; onDrop: () => void };

function SendingItem({ item, onRetry, onDrop }: SendingItemProps) {
  const { file, share, problem } = item;
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
            Try again
          </Button>
          <Button variant="ghost" size="icon" aria-label={`Forget ${file.name}`} onClick={onDrop}>
            <X aria-hidden="true" className="size-4" />
          </Button>
        </div>
      )}
    </li>
  );
}

export function EvidenceUpload({ incidentId }: { incidentId: string }) {
  const { items, refused, add, retry, drop } = useEvidenceUpload(incidentId);
  return (
    <div className="grid gap-3">
      {items.length > 0 && (
        <ul aria-label="Files being sent" className="grid gap-2">
          {items.map((item) => (
            <SendingItem
              key={item.id}
              item={item}
              onRetry={() => retry(item)}
              onDrop={() => drop(item.id)}
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
            className="py-2"
            onChange={({ target }) => {
              add([...(target.files ?? [])]);
              // The same file can be chosen again.
              target.value = '';
            }}
          />
        )}
      </Field>
    </div>
  );
}
