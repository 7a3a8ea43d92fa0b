// Notes of the guards before, and the equipment of the post, on the home screen of the staff portal.
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Card } from '#web/components/ui/card.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { useHandover } from './handover.ts';

const NoteDialog = lazy(async () => ({
  default: (await import('./handover-dialogs.tsx')).NoteDialog,
}));
const TakeOverDialog = lazy(async () => ({
  default: (await import('./handover-dialogs.tsx')).TakeOverDialog,
}));

const TITLES = { note: 'Handover note', ticks: 'Take over equipment' };

export function HandoverCard({ userId }: { userId: string }) {
  const { handover } = useHandover(userId);
  const [opened, setOpened] = useState<keyof typeof TITLES>();
  if (!handover) return null;
  const { notes, equipment, taken_at, site_name, post_name } = handover;
  const close = () => setOpened(undefined);
  const Opened = opened === 'note' ? NoteDialog : TakeOverDialog;
  return (
    <section aria-labelledby="handover">
      <Card>
        <h2
          id="handover"
          className="border-b border-line px-4 py-3.5 font-display text-xl leading-tight sm:px-5"
        >
          Handover
        </h2>
        <div className="grid gap-4 px-4 py-4 sm:px-5">
          <p className="text-sm break-words text-muted">
            {[site_name, post_name].filter(Boolean).join(', ')}
          </p>
          {notes.length === 0 && <p>No notes of the last three days.</p>}
          <ul aria-label="Handover notes" className="grid gap-3 empty:hidden">
            {notes.slice(0, 5).map(({ id, note, guard, written_at }) => (
              <li key={id} className="border-l-2 border-accent-fill pl-3">
                <p className="break-words whitespace-pre-line">{note}</p>
                <p className="text-sm text-muted">
                  {guard}, {formatDateTime(written_at)}
                </p>
              </li>
            ))}
          </ul>
          {taken_at !== null && (
            <p className="text-sm font-semibold text-success">
              Equipment taken over {formatDateTime(taken_at)}
            </p>
          )}
          <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
            <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpened('note')}>
              Leave a note
            </Button>
            {equipment.length > 0 && taken_at === null && (
              <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpened('ticks')}>
                Take over equipment
              </Button>
            )}
          </div>
        </div>
      </Card>
      {opened && (
        <LazyPart fallback={<Opening title={TITLES[opened]} />} onClose={close}>
          <Opened userId={userId} handover={handover} onClose={close} />
        </LazyPart>
      )}
    </section>
  );
}
