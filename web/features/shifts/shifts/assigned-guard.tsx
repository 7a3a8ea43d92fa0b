import { Pencil, ShieldAlert, TriangleAlert, Undo2, UserMinus } from 'lucide-react';
import { useState } from 'react';
import { ASSIGNMENTS_STATUS } from '#shared/database.values.ts';
import { Options } from '#web/components/form/inputs.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { StatusBadge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Field } from '#web/components/ui/field.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { PersonLink } from '#web/components/ui/person-link.tsx';
import { SecondLine } from '#web/components/ui/second-line.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { cn } from '#web/lib/cn.ts';
import { overriddenRules } from '#web/lib/vocabulary/kinds.ts';
import { STATUS_LABELS } from '#web/lib/vocabulary/statuses.ts';
import { type Assignment, useChangeAssignment } from './assignment-api.ts';
import { assignmentSchema } from './shift-schema.ts';
import { describeAbsence } from './staffing.ts';

const PRESENCE = { none: undefined, in: 'Clocked in', out: 'Clocked out' } as const;

type AssignedGuardProps = {
  assignment: Assignment;
  isLeaving: boolean;
  onToggle: () => void;
};

export function AssignedGuard({ assignment, isLeaving, onToggle }: AssignedGuardProps) {
  const { id, name, status, role_at_shift, attendance_state, overridden_rules } = assignment;
  const [isEditing, setEditing] = useState(false);
  const change = useChangeAssignment();
  const presence = PRESENCE[attendance_state];
  const absence = describeAbsence(assignment);
  const facts = [role_at_shift, presence, isLeaving && 'Will be unassigned'].filter(Boolean);
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <p className="min-w-32 flex-1">
          <span className={cn('font-medium', isLeaving && 'line-through')}>
            <PersonLink
              id={assignment.user_id}
              name={name}
              className={cn(isLeaving && 'line-through')}
            />
          </span>
          <SecondLine wraps>{facts.join(', ')}</SecondLine>
          {absence && (
            <span className="flex items-center gap-1.5 text-sm text-warning">
              <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
              {absence}, not counted
              {assignment.no_show_reason && `: ${assignment.no_show_reason}`}
            </span>
          )}
          {overridden_rules.length > 0 && (
            <span className="flex items-start gap-1.5 text-sm text-warning">
              <ShieldAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
              <span>
                Overrides {overriddenRules(overridden_rules)}: {assignment.override_reason}
              </span>
            </span>
          )}
        </p>
        <StatusBadge status={status} />
        <div className="flex">
          <Button
            variant="ghost"
            size="icon"
            title="Change role or status"
            aria-label={`Change role or status of ${name}`}
            aria-expanded={isEditing}
            onClick={() => setEditing(!isEditing)}
          >
            <Pencil aria-hidden="true" className="size-4" />
          </Button>
          {/* The database refuses to unassign a guard who has clocked in. */}
          {presence === undefined && (
            <Button
              variant={isLeaving ? 'ghost' : 'danger-ghost'}
              size="icon"
              title={isLeaving ? 'Keep' : 'Unassign'}
              aria-label={isLeaving ? `Keep ${name}` : `Unassign ${name}`}
              onClick={onToggle}
            >
              {isLeaving ? (
                <Undo2 aria-hidden="true" className="size-4" />
              ) : (
                <UserMinus aria-hidden="true" className="size-4" />
              )}
            </Button>
          )}
        </div>
      </div>
      {isEditing && (
        <div className="pt-3 pb-4">
          <RecordForm
            schema={assignmentSchema}
            defaultValues={{ status, role_at_shift: role_at_shift ?? '' }}
            latest={{ status, role_at_shift: role_at_shift ?? '' }}
            submitLabel="Save"
            save={(form) => change.mutateAsync({ id, form })}
            onSaved={() => {
              setEditing(false);
              showSuccess('Assignment updated successfully');
            }}
            onCancel={() => setEditing(false)}
          >
            {({ register, formState: { errors } }) => (
              <div className="grid gap-5 sm:grid-cols-2">
                <Field label="Role at Shift" optional error={errors.role_at_shift?.message}>
                  {(control) => (
                    <Input {...control} {...register('role_at_shift')} autoComplete="off" />
                  )}
                </Field>
                <Field label="Status" error={errors.status?.message}>
                  {(control) => (
                    <Select {...control} {...register('status')}>
                      <Options values={ASSIGNMENTS_STATUS} labels={STATUS_LABELS} />
                    </Select>
                  )}
                </Field>
              </div>
            )}
          </RecordForm>
        </div>
      )}
    </li>
  );
}
