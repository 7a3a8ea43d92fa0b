// The units of a call, and those that could come, the best first.
import { useState } from 'react';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import {
  UNIT_STATE_LABELS,
  UNIT_STATE_TONES,
  type UnitState,
} from '#web/lib/vocabulary/dispatch.ts';
import {
  type Call,
  type RankedUnit,
  useAssign,
  useRanking,
  useRecordStep,
  useTakeOff,
} from './dispatch-api.ts';

/** What a unit on the radio says next; its phone sends the same. */
const NEXT: Partial<Record<UnitState, [kind: string, label: string]>> = {
  assigned: ['en_route', 'On the Way'],
  en_route: ['on_scene', 'On Scene'],
  on_scene: ['clear', 'Clear'],
};

const ROW = 'flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-2.5';

type UnitOfCall = Call['units'][number];

/** @param mayMove whether the reader gives its steps; supervisors only see them */
function AssignedUnit({ unit, mayMove }: { unit: UnitOfCall; mayMove: boolean }) {
  const step = useRecordStep();
  const takeOff = useTakeOff();
  const next = NEXT[unit.state];
  const { assigned_id, call_sign } = unit;
  function press(work: Promise<unknown>, done: string) {
    work.then(
      () => showSuccess(done),
      (error: unknown) => showError('Error', describeError(error)),
    );
  }
  return (
    <li className={ROW}>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">{call_sign}</span>
        <Badge tone={UNIT_STATE_TONES[unit.state]}>{UNIT_STATE_LABELS[unit.state]}</Badge>
        {unit.reply_due_at && (
          <span className="text-sm text-muted">Answers by {formatTime(unit.reply_due_at)}</span>
        )}
      </span>
      {mayMove && assigned_id && unit.state !== 'clear' && (
        <span className="flex gap-2">
          {/* First, so that a second tap on the step never takes the unit off. */}
          <Button
            variant="ghost"
            busy={takeOff.isPending}
            aria-label={`Take Off: ${call_sign}`}
            onClick={() => press(takeOff.mutateAsync(assigned_id), `${call_sign} taken off`)}
          >
            Take Off
          </Button>
          {next && (
            <Button
              variant="secondary"
              busy={step.isPending}
              aria-label={`${next[1]}: ${call_sign}`}
              onClick={() =>
                press(
                  step.mutateAsync({ assignedId: assigned_id, kind: next[0] }),
                  `${call_sign}: ${next[1].toLowerCase()}`,
                )
              }
            >
              {next[1]}
            </Button>
          )}
        </span>
      )}
    </li>
  );
}

type AssignedProps = { units: readonly UnitOfCall[]; mayMove?: boolean };

export const AssignedUnits = ({ units, mayMove = false }: AssignedProps) => (
  <ul aria-label="Assigned units" className="divide-y divide-line border-y border-line">
    {units.map((unit) => (
      <AssignedUnit key={unit.assigned_id ?? unit.id} unit={unit} mayMove={mayMove} />
    ))}
  </ul>
);

type CandidateProps = { unit: RankedUnit; isBusy: boolean; isBest: boolean; onAssign: () => void };

function Candidate({ unit, isBusy, isBest, onAssign }: CandidateProps) {
  const canAssign = unit.state === 'available' || unit.state === 'clear';
  return (
    <li className={ROW}>
      <span className="min-w-0 flex-1 basis-48">
        <span className="font-semibold">{unit.call_sign}</span>
        {unit.vehicle && <span className="text-muted"> {unit.vehicle}</span>}
        <span className="block text-sm text-muted">{unit.reason}</span>
      </span>
      {canAssign && (
        <Button
          variant={isBest ? 'primary' : 'secondary'}
          busy={isBusy}
          aria-label={`Assign: ${unit.call_sign}`}
          onClick={onAssign}
        >
          Assign
        </Button>
      )}
    </li>
  );
}

const FIRST_SHOWN = 5;

export function CallUnits({ call }: { call: Call }) {
  const assign = useAssign();
  const [showsAll, setShowsAll] = useState(false);
  const mine = new Set(call.units.map(({ id }) => id));
  async function press({ unit_id, call_sign }: RankedUnit) {
    try {
      await assign.mutateAsync({ callId: call.id, unitId: unit_id });
      showSuccess(`${call_sign} assigned`);
    } catch (error) {
      showError('The unit was not assigned', describeError(error));
    }
  }
  return (
    <>
      {call.units.length > 0 && (
        <div className="mb-4">
          <AssignedUnits units={call.units} mayMove />
        </div>
      )}
      <Loaded
        query={useRanking(call.id)}
        loadingText="Ranking the units..."
        missing="The units could not be ranked"
      >
        {(ranked) => {
          const others = ranked.filter(
            ({ unit_id, state }) => !mine.has(unit_id) || state === 'clear',
          );
          if (others.length === 0) {
            return <p className="text-sm text-muted">No other unit. Add units under Units.</p>;
          }
          return (
            <>
              <ol aria-label="Units by rank" className="divide-y divide-line border-y border-line">
                {others.slice(0, showsAll ? undefined : FIRST_SHOWN).map((unit, place) => (
                  <Candidate
                    key={unit.unit_id}
                    unit={unit}
                    isBest={place === 0 && unit.is_free && mine.size === 0}
                    isBusy={assign.isPending && assign.variables.unitId === unit.unit_id}
                    onAssign={() => void press(unit)}
                  />
                ))}
              </ol>
              {others.length > FIRST_SHOWN && !showsAll && (
                <Button variant="ghost" className="w-full" onClick={() => setShowsAll(true)}>
                  Show all {others.length}
                </Button>
              )}
            </>
          );
        }}
      </Loaded>
    </>
  );
}
