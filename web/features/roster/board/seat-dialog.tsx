import { Pin, PinOff, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { formatDayOfWeek } from '#web/lib/format/days.ts';
import { CandidateList } from './candidate-list.tsx';
import type { Candidate } from './candidates.ts';
import { OverrideForm } from './override-dialog.tsx';
import type { RosterSession } from './roster-session.ts';
import type { Move, SeatState } from './roster-store.ts';
import { useTopics } from './topics.ts';

type SeatDialogProps = {
  session: RosterSession;
  shiftId: string;
  seat: number;
  onClose: () => void;
};

function describeState({ isDraft, isConfirmed, isLocked }: SeatState): string {
  if (isDraft) return 'Draft, not visible to the guard yet';
  if (isLocked) return 'Published';
  return isConfirmed ? 'Published, and confirmed by the guard' : 'Published, not confirmed yet';
}

export function SeatDialog({ session, shiftId, seat, onClose }: SeatDialogProps) {
  const { store } = session;
  useTopics(store.topics, `shift ${shiftId}`);
  const [overriding, setOverriding] = useState<Candidate>();
  const shift = store.index.shifts.get(shiftId);
  const userId = store.seatsOf(shiftId)[seat];
  if (!shift) return null;
  const state = userId === undefined ? undefined : store.seatState(shiftId, userId);
  const isOver = store.isOver(shiftId);

  function assign(candidate: Candidate, override_reason?: string) {
    const moves: Move[] = [
      ...(userId === undefined ? [] : [{ shift_id: shiftId, user_id: userId, on: false }]),
      { shift_id: shiftId, user_id: candidate.userId, on: true, seat, override_reason },
    ];
    void session.edit({ label: `Assign ${candidate.name}`, moves });
    onClose();
  }
  function remove() {
    if (!state) return;
    const moves = [{ shift_id: shiftId, user_id: state.userId, on: false }];
    void session.edit({ label: `Remove ${state.name}`, moves });
  }
  const day = formatDayOfWeek(store.index.days[shift.column] ?? '');
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={state ? state.name : 'Fill this gap'}
      description={`${shift.site.name}, ${shift.post}, ${day}, ${shift.hours}`}
      className="sm:max-w-2xl"
    >
      <div className="grid gap-5">
        {state && (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p>
              <PersonLink id={state.userId} name={state.name} />
              <span className="block text-sm text-muted">
                {describeState(state)}
                {state.isLocked && '. The shift can’t be changed any more.'}
              </span>
            </p>
            {!state.isLocked && (
              <div className="flex gap-2">
                <Button
                  variant="secondary"
                  onClick={() =>
                    void session.pin(
                      [{ shift_id: shiftId, user_id: state.userId }],
                      !state.isPinned,
                    )
                  }
                >
                  {state.isPinned ? (
                    <PinOff aria-hidden="true" className="size-4" />
                  ) : (
                    <Pin aria-hidden="true" className="size-4" />
                  )}
                  {state.isPinned ? 'Unpin' : 'Pin'}
                </Button>
                <Button variant="danger-ghost" onClick={remove}>
                  <UserMinus aria-hidden="true" className="size-4" />
                  Remove
                </Button>
              </div>
            )}
          </div>
        )}
        {overriding ? (
          <OverrideForm
            name={overriding.name}
            problems={overriding.problems}
            onConfirm={(reason) => assign(overriding, reason)}
            onCancel={() => setOverriding(undefined)}
          />
        ) : (
          !isOver &&
          !state?.isLocked && (
            <section aria-label={state ? 'Replace with' : 'Guards for this gap'}>
              {state && <h3 className="mb-3 font-display text-lg">Replace with</h3>}
              <CandidateList
                store={store}
                shiftId={shiftId}
                onAssign={(candidate) =>
                  candidate.problems.length > 0 ? setOverriding(candidate) : assign(candidate)
                }
              />
            </section>
          )
        )}
      </div>
    </Dialog>
  );
}
