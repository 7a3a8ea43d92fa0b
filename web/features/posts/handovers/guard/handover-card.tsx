// Notes of the guards before, and the equipment of the post, on the home screen of the staff portal.
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { FoldedCard } from '#web/components/ui/folded-card.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import { cn } from '#web/lib/cn.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { EQUIPMENT, type Handover, type Side, useHandover } from './handover.ts';

const NoteDialog = lazy(async () => ({
  default: (await import('./note-dialog.tsx')).NoteDialog,
}));
const EquipmentDialog = lazy(async () => ({
  default: (await import('./equipment-dialog.tsx')).EquipmentDialog,
}));

/** What there is to do, else the last note. */
function summaryOf({ notes, equipment, taken_at }: Handover): string {
  const [latest] = notes;
  if (latest) return latest.note;
  return equipment.length > 0 && taken_at === null ? 'Equipment to take over' : 'No notes';
}

function Notes({ notes }: Pick<Handover, 'notes'>) {
  return (
    <>
      {notes.length === 0 && <p>No notes of the last three days.</p>}
      <ul aria-label="Handover notes" className="grid grid-cols-1 gap-3 empty:hidden">
        {notes.slice(0, 5).map(({ id, note, guard, written_at }) => (
          <li key={id} className="border-l-2 border-accent-fill pl-3">
            <p className="break-words whitespace-pre-line">{note}</p>
            <p className="text-sm break-words text-muted">
              {guard}, {formatDateTime(written_at)}
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

type HandoverCardProps = {
  userId: string;
  /** The assignment that the guard has clocked out of. */
  leftId: string | undefined;
  /** What a guard found or left damaged, one line for each piece: a photo can be reported. */
  onDamage: (lines: string[]) => void;
};

export function HandoverCard({ userId, leftId, onDamage }: HandoverCardProps) {
  const { handover } = useHandover(userId, leftId);
  const [opened, setOpened] = useState<'note' | Side>();
  if (!handover) return null;
  const { notes, equipment, site_name, post_name, is_over } = handover;
  const side: Side = is_over ? 'left' : 'taken';
  const countedAt = is_over ? handover.left_at : handover.taken_at;
  const close = () => setOpened(undefined);
  return (
    // On the phone it comes first until what is left has been counted.
    <div className={cn(is_over && countedAt === null && 'max-lg:order-first')}>
      <FoldedCard
        title="Handover"
        summary={is_over ? 'Before you go' : summaryOf(handover)}
        isPressing={is_over && countedAt === null}
      >
        <div className="grid gap-4 px-4 py-4 sm:px-5">
          <p className="text-sm break-words text-muted">
            {[site_name, post_name].filter(Boolean).join(', ')}
          </p>
          {is_over ? (
            <p>Before you go: what does the next guard need to know, and what do you leave?</p>
          ) : (
            <Notes notes={notes} />
          )}
          {countedAt !== null && (
            <p className="text-sm font-semibold text-success">
              {EQUIPMENT[side].done} {formatDateTime(countedAt)}
            </p>
          )}
          <div className="flex flex-wrap gap-3 max-sm:*:flex-1">
            <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpened('note')}>
              Leave a note
            </Button>
            {equipment.length > 0 && countedAt === null && (
              <Button variant="secondary" aria-haspopup="dialog" onClick={() => setOpened(side)}>
                {EQUIPMENT[side].title}
              </Button>
            )}
          </div>
        </div>
      </FoldedCard>
      {opened && (
        <LazyPart
          fallback={
            <Opening title={opened === 'note' ? 'Handover note' : EQUIPMENT[opened].title} />
          }
          onClose={close}
        >
          {opened === 'note' ? (
            <NoteDialog userId={userId} handover={handover} onClose={close} />
          ) : (
            <EquipmentDialog {...{ userId, handover, onDamage }} side={opened} onClose={close} />
          )}
        </LazyPart>
      )}
    </div>
  );
}
