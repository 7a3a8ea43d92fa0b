// Finds somebody to stand in on a shift: who may come, best first, what they were asked and what they said.

import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { useSave } from '#web/components/form/use-save.ts';
import { MoreButton } from '#web/components/list/pager.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { type Candidate, type Situation, useOfferShift, useRanking, useSituation } from './api.ts';
import { CandidateRow } from './candidate-row.tsx';
import { ShiftGuards } from './shift-guards.tsx';
import { ShiftOffers } from './shift-offers.tsx';

/** Few enough to compare at once. */
const STEP = 12;
/** As many as the database returns. */
const MOST = 60;
const none: ReadonlySet<string> = new Set();

const seatsText = (seats: number) =>
  seats === 0
    ? 'Every post of this shift is given'
    : `${seats} ${seats === 1 ? 'post' : 'posts'} to fill`;

function foundText(found: number): string {
  if (found === 0) return 'No guard can lawfully work this shift now.';
  return found < MOST
    ? `${found} can lawfully work it, best first`
    : `The best ${found} of those who can lawfully work it`;
}

type ChoiceProps = { situation: Situation; candidates: readonly Candidate[] };

function Choice({ situation, candidates }: ChoiceProps) {
  const { id, seats, offers, calls, timezone } = situation;
  const [shown, setShown] = useState(STEP);
  const [marked, setMarked] = useState(none);
  const [note, setNote] = useState('');
  const offer = useOfferShift();
  const { save, busy } = useSave({
    success: 'Shift Offered',
    failure: 'The shift was not offered',
  });
  const asked = new Set(
    offers.filter(({ status }) => status === 'asked').map(({ user_id }) => user_id),
  );
  // Those who were chosen and may no longer come are left out.
  const chosen = candidates.filter(
    ({ user_id }) => marked.has(user_id) && !asked.has(user_id) && seats > 0,
  );

  function toggle(userId: string) {
    const next = new Set(marked);
    if (!next.delete(userId)) next.add(userId);
    setMarked(next);
  }
  async function send() {
    const userIds = chosen.map(({ user_id }) => user_id);
    if (await save(() => offer.mutateAsync({ shiftId: id, userIds, note: note.trim() }))) {
      setMarked(none);
      setNote('');
    }
  }
  return (
    <>
      <section aria-label="Who can come">
        <h3 className="mb-1 font-semibold">Who can come</h3>
        <p role="status" className="mb-2 text-sm text-muted">
          {foundText(candidates.length)}
        </p>
        <ul aria-label="Guards who can come" className="divide-y divide-line border-y border-line">
          {candidates.slice(0, shown).map((candidate) => (
            <CandidateRow
              key={candidate.user_id}
              shiftId={id}
              zone={timezone}
              candidate={candidate}
              offer={offers.findLast(({ user_id }) => user_id === candidate.user_id)}
              call={calls.findLast(({ user_id }) => user_id === candidate.user_id)}
              isChosen={chosen.includes(candidate)}
              onToggle={seats > 0 ? () => toggle(candidate.user_id) : undefined}
            />
          ))}
        </ul>
        {candidates.length > shown && (
          <MoreButton className="mt-3" onPress={() => setShown(shown + STEP)} />
        )}
      </section>
      <div className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line bg-raised px-5 py-4 sm:-bottom-6 sm:-mx-7 sm:-mb-6 sm:px-7">
        {chosen.length > 0 && (
          <Field label="Note to the guards" optional className="basis-full">
            {(control) => (
              <Input
                {...control}
                value={note}
                maxLength={limits.ASSIGNMENTS_OVERRIDE_REASON_MAX}
                autoComplete="off"
                onChange={({ target }) => setNote(target.value)}
              />
            )}
          </Field>
        )}
        <p role="status" className="min-w-0 flex-1 text-sm">
          <span className="font-semibold">{seatsText(seats)}</span>
          <span className="block text-muted">
            {seats === 0
              ? 'Mark who did not come as a no-show to free a post.'
              : chosen.length === 0
                ? 'The first to say yes gets the post.'
                : `${chosen.length} chosen. The first to say yes gets the post.`}
          </span>
        </p>
        <Button busy={busy} disabled={chosen.length === 0} onClick={send}>
          Offer Shift
        </Button>
      </div>
    </>
  );
}

type PanelProps = {
  shiftId: string;
  /** Off where the guards of the shift are listed above. */
  hasGuards?: boolean;
};

export function ReplacementPanel({ shiftId, hasGuards = true }: PanelProps) {
  const situation = useSituation(shiftId);
  const ranking = useRanking(shiftId);
  return (
    <Loaded query={situation} loadingText="Loading the shift...">
      {(now) =>
        now === null ? (
          <Alert title="This shift does not exist, or you don't have access to it." />
        ) : (
          <div className="grid gap-7">
            {hasGuards && <ShiftGuards situation={now} />}
            <ShiftOffers situation={now} />
            <Loaded query={ranking} loadingText="Checking who may come...">
              {(candidates) => <Choice situation={now} candidates={candidates} />}
            </Loaded>
          </div>
        )
      }
    </Loaded>
  );
}
