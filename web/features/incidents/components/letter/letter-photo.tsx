// A photo in a letter, never cut by the end of a page.
import { useState } from 'react';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { useEvidenceLinks } from '../../api/evidence-links.ts';
import { fileNameOf } from '../../evidence-kind.ts';
import type { Evidence } from '../../schema.ts';

export function LetterPhoto({ piece, number }: { piece: Evidence; number: number }) {
  const { data } = useEvidenceLinks(piece);
  const [isBroken, setBroken] = useState(false);
  return (
    <li className="break-inside-avoid">
      {data && !isBroken && (
        <img
          src={data.full}
          alt={`Evidence ${number}`}
          className="max-h-[95mm] max-w-full object-contain"
          onError={() => setBroken(true)}
        />
      )}
      <p className="mt-1 text-sm text-muted">
        Photo {number}: {fileNameOf(piece)}, added {formatLongDateTime(piece.created_at)}
        {isBroken && ' (on file; it can’t be printed)'}
      </p>
    </li>
  );
}
