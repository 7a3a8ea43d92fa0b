// A document of an incident, opened by a link that works for a while.
import { FileText } from 'lucide-react';
import { Button } from '#web/components/ui/button.tsx';
import { buttonStyles } from '#web/components/ui/button-styles.ts';
import { Spinner } from '#web/components/ui/spinner.tsx';
import { messageOf } from '#web/lib/errors/error-message.ts';
import { useEvidenceLinks } from '../../api/evidence-links.ts';
import { fileNameOf } from '../../evidence-kind.ts';
import type { Evidence } from '../../schema.ts';

export function DocumentLink({ piece }: { piece: Evidence }) {
  const { data, error, isFetching, refetch } = useEvidenceLinks(piece);
  if (!data) {
    return (
      <p className="flex min-h-11 min-w-0 flex-1 items-center gap-2 text-sm">
        {error ? (
          <>
            <span className="min-w-0 break-words text-danger">
              {fileNameOf(piece)}: {messageOf(error)}
            </span>
            <Button variant="link" busy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          </>
        ) : (
          <Spinner className="size-4" />
        )}
      </p>
    );
  }
  return (
    <a
      href={data.full}
      target="_blank"
      rel="noreferrer"
      className={buttonStyles({
        variant: 'secondary',
        className: 'min-w-0 flex-1 justify-start px-4',
      })}
    >
      <FileText aria-hidden="true" className="size-4" />
      <span className="truncate">{fileNameOf(piece)}</span>
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}
