import { FileText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { RetryButton } from '#web/components/ui/retry-button.tsx';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useEvidenceLinks, useRemoveEvidence } from './evidence-api.ts';
import { isPhoto, readFileName } from './evidence-rules.ts';
import { EvidenceUpload } from './evidence-upload.tsx';
import { PhotoViewer } from './photo-viewer.tsx';
import type { Evidence, IncidentDetails } from './schema.ts';

function DocumentLink({ evidence }: { evidence: Evidence }) {
  const { data, error, refetch } = useEvidenceLinks(evidence);
  if (!data) {
    return (
      <p className="flex min-h-11 min-w-0 flex-1 items-center gap-2 text-sm">
        {error ? (
          <>
            <span className="min-w-0 break-words text-danger">
              {readFileName(evidence)}: {describeError(error)}
            </span>
            <RetryButton variant="link" onRetry={() => refetch()} />
          </>
        ) : (
          <Spinner className="size-4" />
        )}
      </p>
    );
  }
  if (evidence.type.startsWith('audio/')) {
    return (
      <div className="min-w-0 flex-1 text-sm">
        <p className="truncate font-medium">{readFileName(evidence)}</p>
        {/* biome-ignore lint/a11y/useMediaCaption: a recording of a guard; the report has what matters in writing */}
        <audio
          controls
          preload="none"
          src={data.full}
          aria-label={`Play ${readFileName(evidence)}`}
          className="mt-1 h-11 w-full"
        />
      </div>
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
      <span className="truncate">{readFileName(evidence)}</span>
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}

function PhotoTile({ evidence, onOpen }: { evidence: Evidence; onOpen: () => void }) {
  const { data, isError } = useEvidenceLinks(evidence);
  const [failed, setFailed] = useState<string[]>([]);
  // The full photo, where the storage service makes no thumbnails.
  const src = data && [data.thumbnail, data.full].find((each) => each && !failed.includes(each));
  if (isError || (data && !src)) return <DocumentLink evidence={evidence} />;
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-label={`Show ${readFileName(evidence)} large`}
      className="block aspect-square w-full overflow-hidden rounded-sm border border-line bg-sunken"
    >
      {src && (
        <img
          src={src}
          alt=""
          className="size-full object-cover"
          onError={() => setFailed([...failed, src])}
        />
      )}
    </button>
  );
}

type RemoveButtonProps = { evidence: Evidence; onPress: () => void; iconOnly?: boolean };

function RemoveButton({ evidence, onPress, iconOnly = false }: RemoveButtonProps) {
  return (
    <Button
      variant="danger-ghost"
      size={iconOnly ? 'icon' : 'default'}
      className={iconOnly ? 'shrink-0' : 'px-2'}
      aria-label={`Remove ${readFileName(evidence)}`}
      onClick={onPress}
    >
      <Trash2 aria-hidden="true" className="size-4" />
      {!iconOnly && 'Remove'}
    </Button>
  );
}

type EvidenceSectionProps = {
  incident: Pick<IncidentDetails, 'id' | 'evidence'>;
  mayAdd?: boolean;
  mayRemove?: boolean;
};

export function EvidenceSection(props: EvidenceSectionProps) {
  const { incident, mayAdd = true, mayRemove = true } = props;
  const [shown, setShown] = useState<Evidence>();
  const [removing, setRemoving] = useState<Evidence>();
  const remove = useRemoveEvidence();
  const photos = incident.evidence.filter(isPhoto);
  const documents = incident.evidence.filter((evidence) => !isPhoto(evidence));
  return (
    <div className="grid gap-4">
      {incident.evidence.length === 0 && <p className="text-muted">No evidence was attached.</p>}
      {photos.length > 0 && (
        <ul aria-label="Photos" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {photos.map((evidence) => (
            <li key={evidence.id} className="min-w-0">
              <PhotoTile evidence={evidence} onOpen={() => setShown(evidence)} />
              {mayRemove && (
                <RemoveButton evidence={evidence} onPress={() => setRemoving(evidence)} />
              )}
            </li>
          ))}
        </ul>
      )}
      {documents.length > 0 && (
        <ul aria-label="Documents" className="grid gap-2">
          {documents.map((evidence) => (
            <li key={evidence.id} className="flex min-w-0 items-center gap-1">
              <DocumentLink evidence={evidence} />
              {mayRemove && (
                <RemoveButton evidence={evidence} onPress={() => setRemoving(evidence)} iconOnly />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayAdd && <EvidenceUpload incidentId={incident.id} />}
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
          question={`Are you sure you want to remove ${readFileName(removing)}?`}
          confirmLabel="Remove"
          busyLabel="Removing..."
          success="Evidence removed"
          onConfirm={() => remove.mutateAsync(removing)}
          onClose={() => setRemoving(undefined)}
        >
          The file is deleted for good. The activity log keeps that it was there.
        </ConfirmDialog>
      )}
    </div>
  );
}
