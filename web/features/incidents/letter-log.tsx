import { Link } from '@tanstack/react-router';
import { FileDown, Mail, PenLine } from 'lucide-react';
import { useSave } from '#web/components/form/use-save.ts';
import { Button, buttonStyles } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { downloadLetter } from './download-letter.ts';
import { type Letter, useLetters } from './letter-api.ts';
import { nameOf } from './schema.ts';

function deliveryOf({ email, mailed_at }: Letter): string | undefined {
  if (email === null) return undefined;
  return mailed_at === null ? `${email}, waiting to be mailed` : `Mailed to ${email}`;
}

function LetterRow({ letter }: { letter: Letter }) {
  const { save, busy } = useSave();
  const { version, addressee, created_at, sender, names_included } = letter;
  const delivery = deliveryOf(letter);
  return (
    <li className="flex items-center justify-between gap-4 py-2">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">
          Version {version}, to {addressee}
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          <time dateTime={created_at}>{formatDateTime(created_at)}</time>
          {` · ${nameOf(sender) ?? 'Former user'}`}
          {names_included && ' · with names'}
        </p>
        {delivery && (
          <p className="flex items-center gap-1.5 text-sm text-muted [overflow-wrap:anywhere]">
            <Mail aria-hidden="true" className="size-4 shrink-0" />
            {delivery}
          </p>
        )}
      </div>
      <Button
        variant="secondary"
        busy={busy}
        aria-label={`PDF of version ${version}`}
        className="shrink-0"
        onClick={() => void save(() => downloadLetter(letter))}
      >
        {!busy && <FileDown aria-hidden="true" className="size-4.5" />}
        PDF
      </Button>
    </li>
  );
}

/** The versions that were sent, and the way to write the next one. */
export function LetterLog({ incidentId }: { incidentId: string }) {
  const query = useLetters(incidentId);
  return (
    <div className="grid gap-3">
      <Loaded query={query} loadingText="Loading letters...">
        {(letters) =>
          letters.length > 0 ? (
            <ul aria-label="Letters" className="divide-y divide-line">
              {letters.map((letter) => (
                <LetterRow key={letter.id} letter={letter} />
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
