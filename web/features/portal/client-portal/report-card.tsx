import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useId, useState } from 'react';
import { useSave } from '#web/components/form/use-save.ts';
import { Badge, StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { DisclosureButton, DisclosureMark } from '#web/components/ui/disclosure.tsx';
import { Spinner } from '#web/components/ui/loading.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { INCIDENT_CATEGORY_LABELS } from '#web/lib/vocabulary/kinds.ts';
import { type Photo, photoLinksQuery, type Report, useAcknowledge } from './reports-api.ts';

type PhotoTileProps = { photo: Photo; name: string };

function PhotoTile({ photo, name }: PhotoTileProps) {
  const { data, isError } = useQuery(photoLinksQuery(photo));
  const [hasThumbnail, setHasThumbnail] = useState(true);
  return (
    <div className="grid aspect-square place-items-center overflow-hidden rounded-sm border border-line bg-sunken text-sm text-muted">
      {isError && 'Photo not available'}
      {!isError && !data && <Spinner />}
      {data && (
        <a href={data.full} target="_blank" rel="noreferrer" className="size-full">
          <img
            // The full photo, where the storage service makes no thumbnails.
            src={hasThumbnail ? data.thumbnail : data.full}
            alt={name}
            className="size-full object-cover"
            onError={() => setHasThumbnail(false)}
          />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      )}
    </div>
  );
}

/** Who at the client has read it, and the button for the reader. */
function Reading({ report }: { report: Report }) {
  const { mutateAsync } = useAcknowledge();
  const { save, busy } = useSave({ success: 'Thank you', failure: 'Not recorded' });
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      {report.read_by.length > 0 && (
        <ul aria-label="Read by" className="grid gap-1 text-sm text-muted">
          {report.read_by.map(({ name, at }) => (
            <li key={`${name} ${at}`} className="flex items-start gap-2">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success" />
              <span>
                Read by {name}, <time dateTime={at}>{formatDateTime(at)}</time>
              </span>
            </li>
          ))}
        </ul>
      )}
      {!report.is_read && (
        <Button
          busy={busy}
          className="justify-self-start print:hidden"
          onClick={() => void save(() => mutateAsync(report.id))}
        >
          {!busy && <Check aria-hidden="true" className="size-4" />}I have read this
        </Button>
      )}
    </div>
  );
}

function Text({ heading, text }: { heading?: string; text: string }) {
  return (
    <div>
      {heading && <h3 className="font-semibold">{heading}</h3>}
      <p className="break-words whitespace-pre-line">{text}</p>
    </div>
  );
}

function Body({ report }: { report: Report }) {
  const { facts, photos, actions, signatory, signatory_title: title } = report;
  return (
    <div className="mt-4 grid max-w-3xl gap-4">
      <Text text={report.summary} />
      {actions && <Text heading="Actions taken" text={actions} />}
      {facts.reported_by && <Text heading="Reported by" text={facts.reported_by} />}
      {photos.length > 0 && (
        <ul aria-label="Photos" className="grid grid-cols-2 gap-3 sm:grid-cols-3">
          {photos.map((photo, index) => (
            <li key={photo.id} className="break-inside-avoid">
              <PhotoTile
                photo={photo}
                name={`Photo ${index + 1} of ${photos.length}, ${formatDateTime(photo.taken_at, facts.timezone)}`}
              />
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-muted">
        {[signatory, title].filter(Boolean).join(', ')}
        <span className="block">
          Reference {report.reference}, version {report.version}, released{' '}
          <time dateTime={report.released_at}>{formatDateTime(report.released_at)}</time>
        </span>
      </p>
      <Reading report={report} />
    </div>
  );
}

export function ReportCard({ report }: { report: Report }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { subject, facts, is_read: isRead } = report;
  const happened = facts.happened_at ?? facts.written_at ?? facts.reported_at;
  return (
    <Card className="p-4 sm:p-5">
      <div className="relative">
        <div className="flex items-start justify-between gap-4">
          <h2 className="min-w-0 font-semibold break-words">
            <DisclosureButton isOpen={isOpen} controls={id} onToggle={() => setOpen(!isOpen)}>
              {subject}
            </DisclosureButton>
          </h2>
          <DisclosureMark isOpen={isOpen} className="mt-0.5 size-5 shrink-0" />
        </div>
        <p className="mt-0.5 text-sm break-words text-muted">
          {facts.site}, <time dateTime={happened}>{formatDateTime(happened, facts.timezone)}</time>
        </p>
        <p className="mt-2 flex flex-wrap gap-2">
          {!isRead && <Badge tone="orange">New</Badge>}
          <StatusBadge status={facts.severity} />
          <Badge tone="grey">{INCIDENT_CATEGORY_LABELS[facts.category]}</Badge>
        </p>
      </div>
      <div id={id}>{isOpen && <Body report={report} />}</div>
    </Card>
  );
}
