// The incident as it is handed to a client: on paper only.
import type { Ref } from 'react';
import { Letterhead } from '#web/components/layout/letterhead.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { fileNameOf, isPhoto } from '../../evidence-kind.ts';
import { SEVERITY_LABELS, STATUS_LABELS } from '../../labels.ts';
import type { IncidentDetails } from '../../schema.ts';
import { IncidentFacts } from '../incident-facts.tsx';
import { Timeline } from '../timeline.tsx';
import { LetterPhoto } from './letter-photo.tsx';

const HEADING = 'mb-2 break-after-avoid font-display text-lg';

type IncidentLetterProps = {
  ref: Ref<HTMLDivElement>;
  incident: IncidentDetails;
  reporter: string | undefined;
  withNotes: boolean;
};

export function IncidentLetter({ ref, incident, reporter, withNotes }: IncidentLetterProps) {
  const photos = incident.evidence.filter(isPhoto);
  const documents = incident.evidence.filter((piece) => !isPhoto(piece));
  return (
    <div ref={ref} data-print className="hidden text-[11pt] [page:letter] print:block">
      <Letterhead />
      <div className="mt-6 flex items-baseline justify-between gap-6">
        <h2 className="font-display text-2xl">Incident Report</h2>
        <p className="text-sm text-muted">
          No. {incident.id.slice(0, 8).toUpperCase()} ·{' '}
          {formatLongDateTime(new Date().toISOString())}
        </p>
      </div>
      <p className="mt-4 text-lg font-semibold [overflow-wrap:anywhere]">{incident.title}</p>
      <p className="mb-5">
        Severity: <strong>{SEVERITY_LABELS[incident.severity]}</strong> · Status:{' '}
        <strong>{STATUS_LABELS[incident.status]}</strong>
      </p>
      <IncidentFacts incident={incident} reporter={reporter} />
      <h3 className={`mt-7 ${HEADING}`}>Description</h3>
      <p className="[overflow-wrap:anywhere] whitespace-pre-line [orphans:3] [widows:3]">
        {incident.description}
      </p>
      <h3 className={`mt-7 ${HEADING}`}>Timeline</h3>
      <Timeline incident={incident} reporter={reporter} withNotes={withNotes} />
      {photos.length > 0 && (
        <>
          <h3 className={`mt-7 ${HEADING}`}>Photos</h3>
          <ul className="[&>li]:mb-4">
            {photos.map((piece, index) => (
              <LetterPhoto key={piece.id} piece={piece} number={index + 1} />
            ))}
          </ul>
        </>
      )}
      {documents.length > 0 && (
        <>
          <h3 className={`mt-7 ${HEADING}`}>Documents on file</h3>
          <ul className="list-disc pl-5">
            {documents.map((piece) => (
              <li key={piece.id} className="[overflow-wrap:anywhere]">
                {fileNameOf(piece)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
