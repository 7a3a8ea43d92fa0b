// The evidence of an incident: photos as thumbnails, documents to open; more can be added, and any of it removed.
import { useState } from 'react';
import { ConfirmDialog } from '#web/components/records/confirm-dialog.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { useRemoveEvidence } from '../../api/remove-evidence.ts';
import { fileNameOf, isPhoto } from '../../evidence-kind.ts';
import type { Evidence, IncidentDetails } from '../../schema.ts';
import { DocumentLink } from './document-link.tsx';
import { EvidenceUpload } from './evidence-upload.tsx';
import { PhotoTile } from './photo-tile.tsx';
import { PhotoViewer } from './photo-viewer.tsx';
import { RemoveButton } from './remove-button.tsx';

export function EvidenceSection({ incident }: { incident: IncidentDetails }) {
  const [shown, setShown] = useState<Evidence>();
  const [removing, setRemoving] = useState<Evidence>();
  const remove = useRemoveEvidence();
  const photos = incident.evidence.filter(isPhoto);
  const documents = incident.evidence.filter((piece) => !isPhoto(piece));
  return (
    <div className="grid gap-4">
      {incident.evidence.length === 0 && <p className="text-muted">No evidence was attached.</p>}
      {photos.length > 0 && (
        <ul aria-label="Photos" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {photos.map((piece) => (
            <li key={piece.id} className="min-w-0">
              <PhotoTile piece={piece} onOpen={() => setShown(piece)} />
              <RemoveButton piece={piece} onPress={() => setRemoving(piece)} />
            </li>
          ))}
        </ul>
      )}
      {documents.length > 0 && (
        <ul aria-label="Documents" className="grid gap-2">
          {documents.map((piece) => (
            <li key={piece.id} className="flex min-w-0 items-center gap-1">
              <DocumentLink piece={piece} />
              <RemoveButton piece={piece} onPress={() => setRemoving(piece)} iconOnly />
            </li>
          ))}
        </ul>
      )}
      <EvidenceUpload incidentId={incident.id} />
      {shown && (
        <PhotoViewer
          photos={photos}
          shown={shown}
          onShow={setShown}
          onClose={() => setShown(undefined)}
        />
      )}
      {removing && (
        <ConfirmDialog
          title="Remove Evidence"
          question={`Are you sure you want to remove ${fileNameOf(removing)}?`}
          consequence="The file is deleted for good. The activity log keeps that it was there."
          confirmLabel="Remove"
          busyLabel="Removing..."
          confirm={() => remove.mutateAsync(removing)}
          onDone={() => {
            setRemoving(undefined);
            showSuccess('Evidence removed');
          }}
          onCancel={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
}
