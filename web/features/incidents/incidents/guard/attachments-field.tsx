import { Camera, FileText, Paperclip, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { cn } from '#web/lib/cn.ts';
import { useObjectUrl } from '#web/lib/files/object-url.ts';
import { formatBytes } from '#web/lib/format/bytes.ts';
import { isApplePhoto } from '#web/lib/photos/shrink-photo.ts';
import type { Attachment } from '../attachment.ts';
import { ACCEPTED, MAX_FILES } from '../evidence-rules.ts';
import type { Attachments } from './use-attachments.ts';
import { VoiceNote } from './voice-note.tsx';

type AttachmentItemProps = {
  attachment: Attachment;
  /** Replaces the size while the file is being sent. */
  state?: ReactNode;
  onRemove?: () => void;
};

export function AttachmentItem({ attachment, state, onRemove }: AttachmentItemProps) {
  const { name, type, content, gps } = attachment;
  const isSound = type.startsWith('audio/');
  const preview = useObjectUrl(isSound || type.startsWith('image/') ? content : undefined);
  const [isBroken, setBroken] = useState(false);
  return (
    <li className="flex items-center gap-3 rounded-sm border border-line p-2">
      {preview && !isSound && !isBroken ? (
        <img
          src={preview}
          alt=""
          className="size-14 shrink-0 rounded-sm bg-sunken object-cover"
          onError={() => setBroken(true)}
        />
      ) : (
        <span className="grid size-14 shrink-0 place-items-center rounded-sm bg-sunken text-muted">
          <FileText aria-hidden="true" className="size-6" />
        </span>
      )}
      <div className="min-w-0 flex-1 text-sm">
        <p className="truncate font-medium">{name}</p>
        {state ?? (
          <p className="text-muted">
            {formatBytes(content.size)}
            {gps && ' · location saved'}
          </p>
        )}
        {preview && isSound && (
          // biome-ignore lint/a11y/useMediaCaption: the guard's own words, recorded a moment ago
          <audio controls src={preview} aria-label={`Play ${name}`} className="mt-2 h-11 w-full" />
        )}
      </div>
      {onRemove && (
        <Button variant="ghost" size="icon" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden="true" className="size-4" />
        </Button>
      )}
    </li>
  );
}

type ChooseFilesProps = {
  label: string;
  icon: ReactNode;
  accept: string;
  /** Opens the camera on phones. */
  camera?: boolean;
  onChoose: (files: File[]) => void;
};

/** The file input covers the button, so that screen readers announce it and a tap opens it. */
function ChooseFiles({ label, icon, accept, camera, onChoose }: ChooseFilesProps) {
  return (
    <label
      className={cn(
        buttonStyles({ variant: camera ? 'primary' : 'secondary' }),
        'relative min-h-14 flex-1 cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
      )}
    >
      {icon}
      {label}
      <input
        type="file"
        accept={accept}
        {...(camera ? { capture: 'environment' as const } : { multiple: true })}
        className="absolute -inset-px size-[calc(100%+2px)] cursor-pointer opacity-0"
        onChange={({ target }) => {
          onChoose([...(target.files ?? [])]);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
    </label>
  );
}

export function AttachmentsField({ attachments }: { attachments: Attachments }) {
  const { items, preparing, problems, add, remove } = attachments;
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
        <VoiceNote count={items.length} onRecorded={(file) => add([file])} />
      </div>
      <p className="text-sm text-muted">
        Up to {MAX_FILES} files, 10 MB each. Photos are made smaller on your phone; the time and
        place of recording are stored as evidence.
      </p>
      {items.some((item) => isApplePhoto(item)) && (
        <Alert tone="info" title="The office can’t show HEIC photos">
          They are sent and stored, but nobody sees a picture of them. Take the photo here, or send
          a JPEG as well.
        </Alert>
      )}
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
        {preparing > 0 && (
          <>
            <Spinner className="size-4" />
            Preparing {preparing === 1 ? 'a file' : `${preparing} files`}...
          </>
        )}
      </p>
    </fieldset>
  );
}
