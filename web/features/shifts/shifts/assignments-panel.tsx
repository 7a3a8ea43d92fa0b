import { useState } from 'react';
import * as limits from '#shared/database.limits.ts';
import { mayDo } from '#shared/permissions.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { useAuth } from '#web/lib/session/auth.ts';
import { AssignedGuard } from './assigned-guard.tsx';
import {
  type Assignment,
  useAssignGuards,
  useAssignments,
  useGuardAvailability,
} from './assignment-api.ts';
import { GuardChoices, isChoosable } from './guard-choices.tsx';
import type { Shift } from './shift-schema.ts';
import { describeGap } from './staffing.ts';

const isOn = ({ status }: Assignment) => status !== 'cancelled';

function toggle(set: ReadonlySet<string>, value: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

const none: ReadonlySet<string> = new Set();

export function GuardsPanel({ shift }: { shift: Shift }) {
  const assignments = useAssignments(shift.id);
  const availability = useGuardAvailability(shift);
  const [marked, setMarked] = useState(none);
  const [leaving, setLeaving] = useState(none);
  const [reason, setReason] = useState('');
  const [isReasonMissing, setReasonMissing] = useState(false);
  const { mutate, isPending } = useAssignGuards();
  // Those who may write the posts of a site oversee it.
  const mayOverride = mayDo(useAuth().roles, 'posts', 'update');

  const onShift = (assignments.data ?? []).filter(isOn);
  const isAssigned = new Set(onShift.map(({ user_id }) => user_id));
  const choices = (availability.data ?? []).filter(({ user_id }) => !isAssigned.has(user_id));
  // A chosen guard may have been assigned elsewhere in the meantime.
  const add = choices.filter(
    (guard) => marked.has(guard.user_id) && isChoosable(guard, mayOverride),
  );
  const overrides = add.filter(({ problems }) => problems.length > 0);
  const remove = onShift.filter(({ user_id }) => leaving.has(user_id));
  const staying = onShift.filter(({ user_id }) => !leaving.has(user_id));
  const assigned =
    staying.filter(({ counts_as_staffed }) => counts_as_staffed).length +
    add.filter(({ on_leave }) => !on_leave).length;
  const isChanged = add.length + remove.length > 0;

  function save() {
    const given = overrides.length > 0 ? reason.trim() : undefined;
    setReasonMissing(given === '');
    if (given === '') return;
    const change = {
      reason: given,
      shiftId: shift.id,
      add: add.map(({ user_id }) => user_id),
      remove: remove.map(({ user_id }) => user_id),
    };
    mutate(change, {
      onSuccess: () => {
        setMarked(none);
        setLeaving(none);
        setReason('');
        showSuccess('Guards updated successfully');
      },
      onError: (error) => showError('Error', describeError(error)),
    });
  }
  return (
    <div className="grid gap-7">
      <section aria-label="On this shift">
        <h3 className="mb-2 font-semibold">On this shift</h3>
        <Loaded query={assignments} loadingText="Loading guards...">
          {(rows) =>
            rows.length === 0 ? (
              <p className="text-sm text-muted">No guards yet.</p>
            ) : (
              <ul className="divide-y divide-line border-y border-line">
                {rows.map((assignment) => (
                  <AssignedGuard
                    key={assignment.id}
                    assignment={assignment}
                    isLeaving={leaving.has(assignment.user_id)}
                    onToggle={() => setLeaving(toggle(leaving, assignment.user_id))}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      <section aria-label="Add guards">
        <h3 className="mb-2 font-semibold">Add guards</h3>
        <Loaded query={availability} loadingText="Checking who is available...">
          {() => (
            <GuardChoices
              choices={choices}
              mayOverride={mayOverride}
              marked={marked}
              onToggle={(id) => setMarked(toggle(marked, id))}
            />
          )}
        </Loaded>
      </section>
      <div className="sticky -bottom-5 -mx-5 -mb-5 flex flex-wrap items-center justify-between gap-x-4 gap-y-3 border-t border-line bg-raised px-5 py-4 sm:-bottom-6 sm:-mx-7 sm:-mb-6 sm:px-7">
        {overrides.length > 0 && (
          <Field
            label="Reason for the override"
            error={isReasonMissing && !reason.trim() ? 'Give a reason for the override' : undefined}
            className="basis-full"
          >
            {(control) => (
              <Input
                {...control}
                value={reason}
                maxLength={limits.ASSIGNMENTS_OVERRIDE_REASON_MAX}
                placeholder="Kept with the assignment"
                autoComplete="off"
                onChange={({ target }) => setReason(target.value)}
              />
            )}
          </Field>
        )}
        <p role="status" className="min-w-0 flex-1 text-sm">
          <span className="font-semibold tabular-nums">
            {assigned} of {shift.required_headcount} guards
          </span>
          <span className="block text-muted">
            {describeGap({ assigned, required_headcount: shift.required_headcount }) ??
              'Fully staffed'}
            {isChanged && `, ${add.length} to assign, ${remove.length} to unassign`}
          </span>
        </p>
        <Button busy={isPending} disabled={!isChanged} onClick={save}>
          {isPending ? 'Saving...' : 'Save Guards'}
        </Button>
      </div>
    </div>
  );
}
