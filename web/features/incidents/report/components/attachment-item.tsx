// One attached file: what it looks like, its name, its size or how much of it is sent, and a button that takes it off.
import { FileText, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { formatBytes } from '#web/lib/format-bytes.ts';
import { useProgress } from '#web/lib/progress.ts';
import type { Attachment } from '../attachments/attachment.ts';
import { UploadProgress } from './upload-progress.tsx';

type AttachmentItemProps = {
  attachment: Attachment;
  onRemove?: () => void;
};

/** @returns the address of the picture while it is shown; undefined for what is no picture */
function usePreview({ type, content }: Attachment): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!type.startsWith('image/')) return;
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [type, content]);
  return address;
}

export function AttachmentItem({ attachment, onRemove }: AttachmentItemProps) {
  const { id, name, content, gps } = attachment;
  const share = useProgress(id);
  const preview = usePreview(attachment);
  const [isBroken, setBroken] = useState(false);
  return (
    <li className="flex items-center gap-3 rounded-sm border border-line p-2">
      {preview && !isBroken ? (
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
        <div className="text-muted">
          {share === undefined ? (
            `${formatBytes(content.size)}${gps ? ' · location kept' : ''}`
          ) : (
            <UploadProgress name={name} share={share} />
          )}
        </div>
      </div>
      {onRemove && (
        <Button variant="ghost" size="icon" aria-label={`Remove ${name}`} onClick={onRemove}>
          <X aria-hidden="true" className="size-4" />
        </Button>
      )}
    </li>
  );
}
