// Photos and documents of a report: camera, file dialog, what was chosen, and what could not be taken.
import { Camera, Paperclip } from 'lucide-react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Spinner } from '#web/components/ui/spinner.tsx';
import { ACCEPTED, MOST_FILES } from '../attachments/file-rules.ts';
import type { Attachments } from '../attachments/use-attachments.ts';
import { AttachmentItem } from './attachment-item.tsx';
import { ChooseFiles } from './choose-files.tsx';

export function AttachmentsField({ attachments }: { attachments: Attachments }) {
  const { items, waiting, problems, add, remove } = attachments;
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-1.5 text-sm font-semibold">
        Photos and documents <span className="font-normal text-muted">(optional)</span>
      </legend>
      <div className="flex flex-wrap gap-3">
        <ChooseFiles
          label="Take Photo"
          icon={<Camera aria-hidden="true" className="size-4.5" />}
          accept="image/*"
          camera
          onChoose={add}
        />
        <ChooseFiles
          label="Add Files"
          icon={<Paperclip aria-hidden="true" className="size-4.5" />}
          accept={ACCEPTED}
          onChoose={add}
        />
      </div>
      <p className="text-sm text-muted">
        Up to {MOST_FILES} files, 10 MB each. Photos are made smaller on your phone; when and where
        they were taken is kept as evidence.
      </p>
      {problems.length > 0 && (
        <Alert tone="danger" title="Not attached">
          <ul className="grid gap-1 break-words">
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Alert>
      )}
      {items.length > 0 && (
        <ul aria-label="Attached files" className="grid grid-cols-1 gap-2">
          {items.map((item) => (
            <AttachmentItem key={item.id} attachment={item} onRemove={() => remove(item.id)} />
          ))}
        </ul>
      )}
      <p role="status" className="flex items-center gap-2 text-sm text-muted empty:hidden">
        {waiting > 0 && (
          <>
            <Spinner className="size-4" />
            Preparing {waiting === 1 ? 'a file' : `${waiting} files`}...
          </>
        )}
      </p>
    </fieldset>
  );
}
