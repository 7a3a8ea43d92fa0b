import { X } from 'lucide-react';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { showNotice, useNotice } from '#web/lib/session/notice.ts';

/** A message about the session or the link that was opened, until the user closes it. */
export function SessionNotice({ className }: { className?: string }) {
  const notice = useNotice();
  if (!notice) return null;
  return (
    <Alert
      tone={notice.tone}
      title={notice.title}
      className={className}
      action={
        <Button
          variant="ghost"
          size="icon"
          aria-label="Close this message"
          className="-m-2"
          onClick={() => showNotice(null)}
        >
          <X aria-hidden="true" className="size-5" />
        </Button>
      }
    >
      {notice.text}
    </Alert>
  );
}
