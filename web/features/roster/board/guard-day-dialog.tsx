import { Ban, UserMinus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { problemsFor } from '#shared/roster/problems.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import { OverrideForm } from './override-dialog.tsx';
import { isOverridable, type Problem } from './roster-moves.ts';
import type { BoardShift } from './roster-rows.ts';
import type { RosterSession } from './roster-session.ts';
import type { RosterStore } from './roster-store.ts';
import { countGaps, guardTotals } from './roster-totals.ts';
import { useTopics } from './topics.ts';

const STEP = 20;

type Offer = { shift: BoardShift; problems: Problem[] };

/** Open shifts of a day: what the guard may work first, of those the sites that the guard knows. */
function offersOf(store: RosterStore, guardId: string, column: number): Offer[] {
  const known = store.index.people.get(guardId)?.known ?? {};
  return [...store.index.shifts.values()]
    .filter((shift) => shift.column === column && !store.isOver(shift.id))
    .filter(
      (shift) => countGaps(store, shift) > 0 && !store.effective.peopleOn(shift.id).has(guardId),
    )
    .map((shift) => ({
      shift,
      problems: problemsFor(store.input, store.effective, guardId, shift.id).map((problem) => ({
        ...problem,
        shiftId: shift.id,
        userId: guardId,
      })),
    }))
    .sort(
      (a, b) =>
        Math.min(a.problems.length, 1) - Math.min(b.problems.length, 1) ||
        (known[b.shift.site_id] ?? 0) - (known[a.shift.site_id] ?? 0),
    );
}

type GuardDayDialogProps = {
  session: RosterSession;
  guardId: string;
  column: number;
  onClose: () => void;
};

export function GuardDayDialog({ session, guardId, column, onClose }: GuardDayDialogProps) {
  const { store } = session;
  const version = useTopics(store.topics, `totals\nguard ${guardId}`);
  const [limit, setLimit] = useState(STEP);
  const [overriding, setOverriding] = useState<Offer>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store changes with its version.
  const offers = useMemo(() => offersOf(store, guardId, column), [store, guardId, column, version]);
  const person = store.index.people.get(guardId);
  if (!person) return null;
  const duties = [...store.effective.shiftsOf(guardId)].flatMap((id) => {
    const shift = store.index.shifts.get(id);
    return shift?.column === column ? [shift] : [];
  });
  const day = formatDayOfWeek(store.index.days[column] ?? '');
  const totals = guardTotals(store, guardId);
  const assign = ({ shift }: Offer, override_reason?: string) => {
    const move = { shift_id: shift.id, user_id: guardId, on: true, override_reason };
    void session.edit({ label: `Assign ${person.name}`, moves: [move] });
    setOverriding(undefined);
  };
  const remove = (shift: BoardShift) =>
    void session.edit({
      label: `Remove ${person.name}`,
      moves: [{ shift_id: shift.id, user_id: guardId, on: false }],
    });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={person.name}
      description={day}
      className="sm:max-w-2xl"
    >
      <div className="grid gap-5">
        <p className="text-sm text-muted">
          <PersonLink id={guardId} name={person.name} />
          {`: ${Math.round(totals.hours)} h on the board, ${totals.nights} ${totals.nights === 1 ? 'night' : 'nights'}`}
        </p>
        {duties.length === 0 && <p>Free on this day.</p>}
        <ul aria-label="Shifts of the day" className="grid gap-2 empty:hidden">
          {duties.map((shift) => (
            <li
              key={shift.id}
              className="flex items-center justify-between gap-3 rounded-sm bg-sunken px-3 py-2"
            >
              <Where shift={shift} />
              {!store.isLocked(shift.id, guardId) && (
                <Button variant="danger-ghost" onClick={() => remove(shift)}>
                  <UserMinus aria-hidden="true" className="size-4" />
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
        {overriding ? (
          <OverrideForm
            name={person.name}
            problems={overriding.problems}
            onConfirm={(reason) => assign(overriding, reason)}
            onCancel={() => setOverriding(undefined)}
          />
        ) : (
          <section aria-labelledby="open-shifts">
            <h3 id="open-shifts" className="mb-2 font-display text-lg">
              Open shifts
            </h3>
            {offers.length === 0 && (
              <p className="text-sm text-muted">No open shifts on this day.</p>
            )}
            <ul aria-labelledby="open-shifts" className="divide-y divide-line">
              {offers.slice(0, limit).map((offer) => (
                <OfferItem
                  key={offer.shift.id}
                  offer={offer}
                  onAssign={() =>
                    offer.problems.length > 0 ? setOverriding(offer) : assign(offer)
                  }
                />
              ))}
            </ul>
            {offers.length > limit && (
              <Button variant="secondary" className="mt-2" onClick={() => setLimit(limit + STEP)}>
                Show more
              </Button>
            )}
          </section>
        )}
      </div>
    </Dialog>
  );
}

function Where({ shift }: { shift: BoardShift }) {
  return (
    <span className="min-w-0">
      <span className="block truncate font-semibold">{shift.site.name}</span>
      <span className="block truncate text-sm text-muted">{`${shift.post}, ${shift.hours}`}</span>
    </span>
  );
}

type OfferItemProps = { offer: Offer; onAssign: () => void };

function OfferItem({ offer, onAssign }: OfferItemProps) {
  const isFree = offer.problems.length === 0;
  return (
    <li className="flex items-center justify-between gap-3 py-2">
      <span className="min-w-0">
        <Where shift={offer.shift} />
        {offer.problems.map(({ rule, message }) => (
          <span key={rule} className="flex items-center gap-1 text-sm text-danger">
            <Ban aria-hidden="true" className="size-3.5 shrink-0" />
            {message}
          </span>
        ))}
      </span>
      {isOverridable(offer.problems) && (
        <Button
          variant={isFree ? 'secondary' : 'ghost'}
          className="px-3"
          aria-label={`${isFree ? 'Assign' : 'Assign anyway'}: ${offer.shift.site.name}, ${offer.shift.post}, ${offer.shift.hours}`}
          onClick={onAssign}
        >
          {isFree ? 'Assign' : 'Anyway…'}
        </Button>
      )}
    </li>
  );
}
