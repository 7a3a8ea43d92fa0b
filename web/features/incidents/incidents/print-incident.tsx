import { useQueryClient } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSave } from '#web/components/form/use-save.ts';
import { Letterhead } from '#web/components/layout/letterhead.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { formatLongDateTime } from '#web/lib/format/dates.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { evidenceLinks, useEvidenceLinks } from './evidence-api.ts';
import { isPhoto, readFileName } from './evidence-rules.ts';
import { IncidentFacts, Timeline } from './incident-facts.tsx';
import type { Evidence, IncidentDetails } from './schema.ts';

function LetterPhoto({ photo, number }: { photo: Evidence; number: number }) {
  const { data } = useEvidenceLinks(photo);
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
        Photo {number}: {readFileName(photo)}, added {formatLongDateTime(photo.created_at)}
        {isBroken && ' (on file; it can’t be printed)'}
      </p>
    </li>
  );
}

const HEADING = 'mb-2 break-after-avoid font-display text-lg';

type IncidentLetterProps = {
  ref: Ref<HTMLDivElement>;
  incident: IncidentDetails;
  reporter: string | undefined;
  withNotes: boolean;
};

function IncidentLetter({ ref, incident, reporter, withNotes }: IncidentLetterProps) {
  const photos = incident.evidence.filter(isPhoto);
  const documents = incident.evidence.filter((evidence) => !isPhoto(evidence));
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
        Severity: <strong>{STATUS_LABELS[incident.severity]}</strong> · Status:{' '}
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
            {photos.map((photo, index) => (
              <LetterPhoto key={photo.id} photo={photo} number={index + 1} />
            ))}
          </ul>
        </>
      )}
      {documents.length > 0 && (
        <>
          <h3 className={`mt-7 ${HEADING}`}>Documents on file</h3>
          <ul className="list-disc pl-5">
            {documents.map((document) => (
              <li key={document.id} className="[overflow-wrap:anywhere]">
                {readFileName(document)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** A photo that hasn't loaded by then is left out. */
const PHOTO_TIMEOUT_MS = 20_000;

/** Resolves when every image has loaded or failed; the letter shows only the file name of a failed one. */
async function waitForImages(letter: HTMLElement | null): Promise<void> {
  const images = [...(letter?.querySelectorAll('img') ?? [])];
  const timeout = new Promise((resolve) => setTimeout(resolve, PHOTO_TIMEOUT_MS));
  await Promise.race([Promise.allSettled(images.map((image) => image.decode())), timeout]);
}

type PrintIncidentProps = { incident: IncidentDetails; reporter: string | undefined };

/** The letter for the client, rendered on demand and printed once its photos have loaded. */
export function PrintIncident({ incident, reporter }: PrintIncidentProps) {
  const queryClient = useQueryClient();
  const letter = useRef<HTMLDivElement>(null);
  const [withNotes, setWithNotes] = useState(false);
  const [isRendered, setRendered] = useState(false);
  const { save: run, busy } = useSave();

  async function print() {
    const photos = incident.evidence.filter(isPhoto);
    await Promise.all(photos.map((photo) => queryClient.ensureQueryData(evidenceLinks(photo))));
    flushSync(() => setRendered(true));
    await waitForImages(letter.current);
    window.print();
  }
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <Field label="Internal notes" className="min-w-44">
        {(control) => (
          <Select
            {...control}
            value={withNotes ? 'included' : 'left out'}
            onChange={({ target }) => setWithNotes(target.value === 'included')}
          >
            <option value="left out">Left out</option>
            <option value="included">Included</option>
          </Select>
        )}
      </Field>
      <Button variant="secondary" busy={busy} onClick={() => void run(print)}>
        {!busy && <Printer aria-hidden="true" className="size-4.5" />}
        {busy ? 'Preparing...' : 'Print or save as PDF'}
      </Button>
      {isRendered && (
        <IncidentLetter
          ref={letter}
          incident={incident}
          reporter={reporter}
          withNotes={withNotes}
        />
      )}
    </div>
  );
}
