// A photo of an incident, small; it opens large. One that the browser can't show is opened as a document.
import { useState } from 'react';
import { useEvidenceLinks } from '../../api/evidence-links.ts';
import { fileNameOf } from '../../evidence-kind.ts';
import type { Evidence } from '../../schema.ts';
import { DocumentLink } from './document-link.tsx';

export function PhotoTile({ piece, onOpen }: { piece: Evidence; onOpen: () => void }) {
  const { data, isError } = useEvidenceLinks(piece);
  const [failed, setFailed] = useState<string[]>([]);
  // A store that makes no thumbnails still has the photo itself.
  const address =
    data && [data.thumbnail, data.full].find((each) => each && !failed.includes(each));
  if (isError || (data && !address)) return <DocumentLink piece={piece} />;
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-label={`Show ${fileNameOf(piece)} large`}
      className="block aspect-square w-full overflow-hidden rounded-sm border border-line bg-sunken"
    >
      {address && (
        <img
          src={address}
          alt=""
          className="size-full object-cover"
          onError={() => setFailed([...failed, address])}
        />
      )}
    </button>
  );
}
