// Always in sight while this device holds something that the server does not have. It also keeps the sending going.
import { Link } from '@tanstack/react-router';
import { ChevronRight, CloudUpload, TriangleAlert } from 'lucide-react';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';

export function WaitingBar() {
  const { waiting, refused } = useOutbox();
  const words = [
    waiting.length > 0 && `${waiting.length} waiting to send`,
    refused.length > 0 && `${refused.length} not accepted`,
  ].filter(Boolean);
  const Icon = refused.length > 0 ? TriangleAlert : CloudUpload;
  return (
    <div role="status" className="print:hidden">
      {words.length > 0 && (
        <Link
          to="/staff/waiting"
          className="flex min-h-11 items-center justify-center gap-2.5 border-b border-warning/45 bg-warning/12 px-4 py-2 text-sm font-semibold text-warning focus-visible:-outline-offset-3"
        >
          <Icon aria-hidden="true" className="size-4.5 shrink-0" />
          {words.join(', ')}
          <ChevronRight aria-hidden="true" className="size-4 shrink-0" />
        </Link>
      )}
    </div>
  );
}
