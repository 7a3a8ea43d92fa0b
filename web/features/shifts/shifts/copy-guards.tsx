import { formatCount } from '#shared/count.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Checkbox } from '#web/components/ui/checkbox.tsx';
import { cn } from '#web/lib/cn.ts';
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

/** Shifts of one guard for the same reason, which are decided together. */
type Group = {
  key: string;
  name: string;
  reason: string;
  isPossible: boolean;
  guards: [CopiedGuard, ...CopiedGuard[]];
};

function groupsOf(guards: CopiedGuard[]): Group[] {
  const groups = new Map<string, Group>();
  for (const guard of guards) {
    const reason = guard.conflict ?? guard.warnings.join(', ');
    const key = `${guard.user_id} ${reason}`;
    const known = groups.get(key);
    if (known) known.guards.push(guard);
    else {
      const isPossible = guard.conflict === null;
      groups.set(key, { key, name: guard.person_name, reason, isPossible, guards: [guard] });
    }
  }
  return [...groups.values()];
}

/** @returns for example "Freeport Container Yard, Jan 11, 6:00 PM and 4 more shifts" */
function shiftsOf([first, ...others]: Group['guards']): string {
  const more = others.length === 1 ? ' and 1 more shift' : ` and ${others.length} more shifts`;
  const when = formatDateTime(first.start_time, first.timezone);
  return `${first.site_name}, ${when}${others.length > 0 ? more : ''}`;
}

type ChoiceProps = { choices: CopyChoices; onChange: (choices: CopyChoices) => void };

function GroupRow({ group, choices, onChange }: ChoiceProps & { group: Group }) {
  const { name, reason, isPossible, guards } = group;
  const id = `copy-${guards[0].assignment_id}`;
  const assigned = guards.some((guard) => isAssigned(guard, choices));
  return (
    <li className="relative flex min-h-11 items-start gap-3 py-1.5">
      {isPossible ? (
        <Checkbox
          id={id}
          checked={assigned}
          aria-describedby={`${id}-reason`}
          onChange={() => onChange(choose(guards, !assigned, choices))}
        />
      ) : (
        <span aria-hidden="true" className="m-0.5 size-5 shrink-0 text-center text-danger">
          ×
        </span>
      )}
      <div className="min-w-0 flex-1 sm:flex sm:justify-between sm:gap-4">
        <label htmlFor={isPossible ? id : undefined} className="block">
          <span className="font-medium">{name}</span>
          <span className="block text-muted">{shiftsOf(guards)}</span>
        </label>
        <p
          id={`${id}-reason`}
          className={cn('sm:text-right', isPossible ? 'text-warning' : 'text-danger')}
        >
          {isPossible ? reason : `Can't be assigned: ${reason}`}
        </p>
      </div>
    </li>
  );
}

/** The guards who need a decision: ticked ones are assigned, the others left out. */
export function CopyGuards({ guards, ...state }: ChoiceProps & { guards: CopiedGuard[] }) {
  const groups = groupsOf(guards);
  const open = groups.filter(({ isPossible }) => isPossible).flatMap((group) => group.guards);
  if (groups.length === 0) return null;
  const assigned = groups.filter(
    ({ isPossible, guards: shifts }) =>
      isPossible && shifts.some((guard) => isAssigned(guard, state.choices)),
  ).length;
  return (
    <section aria-label="Guards to check" className="border-t border-line pt-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="font-semibold">
          {groups.length === 1
            ? '1 guard to check'
            : `${formatCount(groups.length)} guards to check`}
          <span className="font-normal text-muted">
            {`, ${formatCount(assigned)} assigned, ${formatCount(groups.length - assigned)} left out`}
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
        {groups.map((group) => (
          <GroupRow key={group.key} group={group} {...state} />
        ))}
      </ul>
    </section>
  );
}
