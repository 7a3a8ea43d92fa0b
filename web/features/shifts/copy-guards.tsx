import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { formatDateTime } from '#web/lib/format/dates.ts';
import type { CopiedGuard, CopyChoices } from './week-api.ts';

const isAssigned = ({ assignment_id, is_on_leave }: CopiedGuard, choices: CopyChoices) =>
  is_on_leave
    ? choices.p_despite_leave.includes(assignment_id)
    : !choices.p_without.includes(assignment_id);

/** @returns the choices with these guards assigned or left out */
function choose(guards: CopiedGuard[], assigned: boolean, choices: CopyChoices): CopyChoices {
  const without = new Set(choices.p_without);
  const despite = new Set(choices.p_despite_leave);
  for (const { assignment_id, is_on_leave, conflict } of guards) {
    if (conflict !== null) continue;
    if (is_on_leave && assigned) despite.add(assignment_id);
    else if (is_on_leave) despite.delete(assignment_id);
    else if (assigned) without.delete(assignment_id);
    else without.add(assignment_id);
  }
  return { p_without: [...without], p_despite_leave: [...despite] };
}

type ChoiceProps = { choices: CopyChoices; onChange: (choices: CopyChoices) => void };

function GuardRow({ guard, choices, onChange }: ChoiceProps & { guard: CopiedGuard }) {
  const { assignment_id, person_name, site_name, start_time, timezone, conflict, warnings } = guard;
  const id = `copy-${assignment_id}`;
  const assigned = isAssigned(guard, choices);
  return (
    <li className="relative flex min-h-11 items-start gap-3 py-1.5">
      {conflict === null ? (
        <Checkbox
          id={id}
          checked={assigned}
          aria-describedby={`${id}-reason`}
          onChange={() => onChange(choose([guard], !assigned, choices))}
        />
      ) : (
        <span aria-hidden="true" className="m-0.5 size-5 shrink-0 text-center text-danger">
          ×
        </span>
      )}
      <div className="min-w-0 flex-1 sm:flex sm:justify-between sm:gap-4">
        <label htmlFor={conflict === null ? id : undefined} className="block">
          <span className="font-medium">{person_name}</span>
          <span className="block text-muted">
            {site_name}, {formatDateTime(start_time, timezone)}
          </span>
        </label>
        <p
          id={`${id}-reason`}
          className={conflict === null ? 'text-warning sm:text-right' : 'text-danger sm:text-right'}
        >
          {conflict === null ? warnings.join(', ') : `Can't be assigned: ${conflict}`}
        </p>
      </div>
    </li>
  );
}

/** The guards who need a decision: ticked ones are assigned, the others left out. */
export function CopyGuards({ guards, ...state }: ChoiceProps & { guards: CopiedGuard[] }) {
  const open = guards.filter(({ conflict }) => conflict === null);
  if (guards.length === 0) return null;
  const assigned = open.filter((guard) => isAssigned(guard, state.choices)).length;
  return (
    <section aria-label="Guards to check" className="border-t border-line pt-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="font-semibold">
          {guards.length === 1 ? '1 guard to check' : `${guards.length} guards to check`}
          <span className="font-normal text-muted">
            {`, ${assigned} assigned, ${guards.length - assigned} left out`}
          </span>
        </p>
        {open.length > 1 && (
          <div className="flex">
            <Button
              variant="ghost"
              className="text-sm"
              onClick={() => state.onChange(choose(open, true, state.choices))}
            >
              Assign all
            </Button>
            <Button
              variant="ghost"
              className="text-sm"
              onClick={() => state.onChange(choose(open, false, state.choices))}
            >
              Leave out all
            </Button>
          </div>
        )}
      </div>
      <ul className="max-h-72 divide-y divide-line overflow-y-auto">
        {guards.map((guard) => (
          <GuardRow key={guard.assignment_id} guard={guard} {...state} />
        ))}
      </ul>
    </section>
  );
}
