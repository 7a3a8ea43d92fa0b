import { useRef, useState } from 'react';
import { formatCount } from '#shared/count.ts';
import { REACH_KM } from '#shared/database.limits.ts';
import { PROFILES_HOME_REGION } from '#shared/database.values.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { RecordForm } from '#web/components/form/record-form.tsx';
import { Alert } from '#web/components/ui/alert.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { Dialog } from '#web/components/ui/dialog.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { showSuccess } from '#web/components/ui/toast.ts';
import { formatDateTime, formatDay, today } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import {
  type StartCode,
  useCreateStartCode,
  useEditPerson,
  useEmploymentTies,
  useEndEmployment,
} from './api.ts';
import { PersonFields } from './person-fields.tsx';
import { leavingSchema, type Person, personSchema, toPersonForm } from './schema.ts';
import { StartCodes } from './start-codes.tsx';

const REGIONS = PROFILES_HOME_REGION.map((name) => [name, name] as const);

type DialogProps = { person: Person; onClose: () => void };

export function EditPersonDialog({ person, onClose }: DialogProps) {
  const { mutateAsync } = useEditPerson();
  const [opened] = useState(person);
  return (
    <EntryDialog
      title="Edit Person"
      schema={personSchema}
      defaultValues={toPersonForm(opened)}
      latest={toPersonForm(person)}
      submitLabel="Save Changes"
      save={(form) => mutateAsync({ id: person.id, form })}
      success="Person updated successfully"
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <FieldGrid>
            <PersonFields field={field} />
            {field.select('home_region', 'Home Region', REGIONS, {
              optional: true,
              empty: 'Not known',
            })}
            {field.text('home_position', 'Home Position', {
              optional: true,
              placeholder: '6.3005, -10.7969',
            })}
            {field.count('max_distance_km', 'Works within (km)', {
              optional: true,
              hint: `From home, for the roster. Empty: anywhere in the home region, ${REACH_KM} km outside it.`,
              wide: true,
            })}
          </FieldGrid>
        );
      }}
    </EntryDialog>
  );
}

export function StartCodeDialog({ person, onClose }: DialogProps) {
  const { mutateAsync } = useCreateStartCode();
  const [made, setMade] = useState<StartCode>();
  const isMade = useRef(false);
  const name = formatName(person);
  if (made) {
    const { id, phone, email } = person;
    return (
      <Dialog open onOpenChange={onClose} title="Start Code" className="sm:max-w-2xl">
        <StartCodes issued={[{ id, name, phone, email, ...made }]} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title="New Start Code"
      question={`Make a new start code for ${name}?`}
      confirmLabel="Make Code"
      busyLabel="Making..."
      onConfirm={async () => {
        const code = await mutateAsync(person.id);
        isMade.current = true;
        setMade(code);
      }}
      onClose={() => {
        // Also called after success, when the code must stay on screen.
        if (!isMade.current) onClose();
      }}
    >
      Their password stops working now, and they are signed out on every device. With the code they
      choose a new password. An earlier code no longer works.
    </ConfirmDialog>
  );
}

function lossesOf(ties: NonNullable<ReturnType<typeof useEmploymentTies>['data']>): string[] {
  const counted = (count: number, one: string, many: string) =>
    count === 0 ? [] : [count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`];
  const { shifts, next_shift, roles, sessions, leave } = ties;
  const from = next_shift === null ? '' : `, the next on ${formatDateTime(next_shift)}`;
  return [
    ...counted(shifts, 'shift becomes free', 'shifts become free').map((text) => text + from),
    ...counted(roles, 'role is removed', 'roles are removed'),
    ...counted(sessions, 'device is signed out', 'devices are signed out'),
    ...counted(leave, 'leave request is rejected', 'leave requests are rejected'),
    'They can no longer sign in',
  ];
}

/** What today's counts do not tell: shifts until a later day are worked. */
const LATER_LOSSES = [
  'Shifts from then on become free',
  'Roles are removed, and devices signed out',
  'Leave requests that still wait are rejected',
  'They can no longer sign in',
];

type LossesProps = { day: string; losses: readonly string[]; name: string };

/** An employment ends today or earlier: for a later day, what happens until then, on it and after it. */
function Losses({ day, losses, name }: LossesProps) {
  if (day > today()) {
    return (
      <>
        <p className="font-semibold">
          {name} keeps access and shifts until {formatDay(day)}. End the employment on that day.
        </p>
        <p className="mt-2">Now: nothing changes, and nothing is saved.</p>
        <p className="mt-2">On {formatDay(day)}, when you end it:</p>
        <ul className="list-disc pl-5">
          {LATER_LOSSES.map((loss) => (
            <li key={loss}>{loss}</li>
          ))}
        </ul>
        <p className="mt-2">With the next pay run: pay until the last day, and nothing after it.</p>
      </>
    );
  }
  return (
    <>
      <p className="font-semibold">This happens at once:</p>
      <ul className="mt-2 list-disc pl-5">
        {losses.map((loss) => (
          <li key={loss}>{loss}</li>
        ))}
      </ul>
    </>
  );
}

export function EndEmploymentDialog({ person, onClose }: DialogProps) {
  const { mutateAsync } = useEndEmployment();
  const query = useEmploymentTies(person.id);
  const name = formatName(person);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="End Employment"
      description={`Are you sure you want to end the employment of ${name}?`}
    >
      <Loaded query={query} loadingText="Checking shifts and access...">
        {(ties) => (
          <RecordForm
            schema={leavingSchema}
            defaultValues={{ last_day: today(), reason: '' }}
            submitLabel="End Employment"
            savingLabel="Ending..."
            submitVariant="danger"
            save={(form) => mutateAsync({ id: person.id, form })}
            onSaved={() => {
              showSuccess('Employment ended', `${name} no longer has access.`);
              onClose();
            }}
            onCancel={onClose}
          >
            {(form) => (
              <>
                {ties.on_post && (
                  <Alert tone="danger" title={`${name} is clocked in now`}>
                    Someone else has to clock them out.
                  </Alert>
                )}
                <div>
                  <Losses day={form.watch('last_day')} losses={lossesOf(ties)} name={name} />
                  <p className="mt-2 text-sm text-muted">
                    Attendance, pay, certificates and incidents stay on record.
                  </p>
                </div>
                <FieldGrid>
                  {createFields(form).day('last_day', 'Last Day', { max: today() })}
                  {person.staff &&
                    createFields(form).text('reason', 'Reason', {
                      optional: true,
                      wide: true,
                      hint: 'For admins only.',
                    })}
                </FieldGrid>
              </>
            )}
          </RecordForm>
        )}
      </Loaded>
    </Dialog>
  );
}
