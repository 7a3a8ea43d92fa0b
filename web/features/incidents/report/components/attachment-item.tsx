// One attached file: what it looks like, its name, its size or what has become of it, and a button that takes it off.
import { FileText, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { formatBytes } from '#web/lib/files/files.ts';
import type { Attachment } from '../attachments/attachment.ts';

type AttachmentItemProps = {
  attachment: Attachment;
  /** In the place of its size, once it is on its way. */
  state?: ReactNode;
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

export function AttachmentItem({ attachment, state, onRemove }: AttachmentItemProps) {
  const { name, content, gps } = attachment;
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
        {state ?? (
          <p className="text-muted">
            {formatBytes(content.size)}
            {gps && ' · location kept'}
          </p>
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
