import { Link } from '@tanstack/react-router';
import { Eye, FileDown, Mail, PenLine } from 'lucide-react';
import { useSave } from '#web/components/form/use-save.ts';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { ApproveLetter } from './approve-letter.tsx';
import { downloadLetter } from './download-letter.ts';
import { type Letter, useLetters } from './letter-api.ts';
import { findName, type IncidentDetails } from './schema.ts';

function deliveryOf({ email, mailed_at, approved_at }: Letter): string | undefined {
  if (email === null) return undefined;
  if (approved_at === null) return `${email}, once it is approved`;
  return mailed_at === null ? `${email}, waiting to be mailed` : `Mailed to ${email}`;
}

function approvalOf({ approved_at, approver, approved_by, sent_by }: Letter, isNewest: boolean) {
  if (approved_at === null) return isNewest ? 'Waits for approval' : 'Replaced by a newer version';
  if (approved_by === null || approved_by === sent_by) return 'Approved for the client';
  return `Approved for the client by ${findName(approver) ?? 'a former user'}`;
}

const photosText = (count: number) => (count === 1 ? '1 photo' : `${count} photos`);

type LetterRowProps = {
  letter: Letter;
  incident: IncidentDetails;
  /** An older version is no longer approved. */
  isNewest: boolean;
};

function LetterRow({ letter, incident, isNewest }: LetterRowProps) {
  const { save, busy } = useSave();
  const { version, addressee, created_at, sender, names_included, photo_ids, approved_at } = letter;
  const delivery = deliveryOf(letter);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">
          Version {version}, to {addressee}
        </p>
        <p className="text-sm text-muted">{approvalOf(letter, isNewest)}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          {` · ${findName(sender) ?? 'Former user'}`}
          {names_included && ' · with names'}
          {photo_ids.length > 0 && ` · ${photosText(photo_ids.length)}`}
        </p>
        {delivery && (
          <p className="flex items-center gap-1.5 text-sm text-muted [overflow-wrap:anywhere]">
            <Mail aria-hidden="true" className="size-4 shrink-0" />
            {delivery}
          </p>
        )}
        {letter.acknowledgements.map(({ contact_name: name, created_at: at }) => (
          <p
            key={`${name} ${at}`}
            className="flex items-center gap-1.5 text-sm text-muted [overflow-wrap:anywhere]"
          >
            <Eye aria-hidden="true" className="size-4 shrink-0" />
            Read by {name}, {formatDateTime(at)}
          </p>
        ))}
      </div>
      <div className="flex shrink-0 flex-wrap gap-2">
        {approved_at === null && isNewest && <ApproveLetter letter={letter} incident={incident} />}
        <Button
          variant="secondary"
          busy={busy}
          aria-label={`PDF of version ${version}`}
          onClick={() => void save(() => downloadLetter(letter))}
        >
          {!busy && <FileDown aria-hidden="true" className="size-4.5" />}
          PDF
        </Button>
      </div>
    </li>
  );
}

/** The versions that were sent, and the way to write the next one. */
export function LetterLog({ incident }: { incident: IncidentDetails }) {
  const incidentId = incident.id;
  const query = useLetters(incidentId);
  return (
    <div className="grid gap-3">
      <Loaded query={query} loadingText="Loading letters...">
        {(letters) =>
          letters.length > 0 ? (
            <ul aria-label="Letters" className="divide-y divide-line">
              {letters.map((letter, index) => (
                <LetterRow
                  key={letter.id}
                  letter={letter}
                  incident={incident}
                  isNewest={index === 0}
                />
              ))}
            </ul>
          ) : (
            <p className="text-muted">No letter was sent to the client yet.</p>
          )
        }
      </Loaded>
      <Link
        to="/admin/incidents/$incidentId/letter"
        params={{ incidentId }}
        className={buttonStyles({ variant: 'secondary', className: 'justify-self-start' })}
      >
        <PenLine aria-hidden="true" className="size-4.5" />
        {query.data?.length ? 'Write next version' : 'Write letter'}
      </Link>
    </div>
  );
}
