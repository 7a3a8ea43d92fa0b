import { useState } from 'react';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields } from '#web/components/form/fields.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { Badge } from '#web/components/ui/badge.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { ConfirmDialog } from '#web/components/ui/confirm-dialog.tsx';
import { EmptyNote, Loaded } from '#web/components/ui/loaded.tsx';
import { showError, showSuccess } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { textField } from '#web/lib/form-fields/text-field.ts';
import { formatDateTime } from '#web/lib/format/dates.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import {
  CALL_KIND_LABELS,
  UNIT_STATE_LABELS,
  UNIT_STATE_TONES,
} from '#web/lib/vocabulary/dispatch.ts';
import { type Unit, useDeleteUnit, useSetService, useUnits } from './dispatch-api.ts';
import { UnitForm } from './unit-form.tsx';

const outSchema = z.object({ note: textField('Reason', limits.UNIT_EVENTS_NOTE_MAX) });

function OutDialog({ unit, onClose }: { unit: Unit; onClose: () => void }) {
  const set = useSetService();
  return (
    <EntryDialog
      title={`Out of Service: ${unit.call_sign}`}
      description={unit.call ? 'It is taken off its call.' : 'It is not proposed for calls.'}
      schema={outSchema}
      defaultValues={{ note: '' }}
      submitLabel="Set Out of Service"
      success={`${unit.call_sign} is out of service`}
      failure="The unit was not changed"
      save={({ note }) => set.mutateAsync({ id: unit.id, isIn: false, note })}
      onClose={onClose}
    >
      {(form) => createFields(form).notes('note', 'Reason', { rows: 2 })}
    </EntryDialog>
  );
}

type UnitCardProps = { unit: Unit; onShow: (dialog: 'change' | 'out' | 'delete') => void };

function UnitCard({ unit, onShow }: UnitCardProps) {
  const set = useSetService();
  const { call, call_sign } = unit;
  const people = unit.unit_members.map(({ profiles }) => formatName(profiles)).join(', ');
  function backIn() {
    set.mutateAsync({ id: unit.id, isIn: true, note: '' }).then(
      () => showSuccess(`${call_sign} is back in service`),
      (error: unknown) => showError('The unit was not changed', describeError(error)),
    );
  }
  return (
    <li className="grid content-between gap-3 rounded-sm border border-line bg-raised p-4">
      <div className="text-sm">
        <p className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-base font-semibold">{call_sign}</span>
          <Badge tone={UNIT_STATE_TONES[unit.state]}>{UNIT_STATE_LABELS[unit.state]}</Badge>
        </p>
        {unit.vehicle && <p>{unit.vehicle}</p>}
        <p className="text-muted">
          {unit.sites
            ? `Base: ${unit.sites.name}`
            : unit.base_gps
              ? `Base: ${unit.base_gps}`
              : 'No base'}
        </p>
        <p className="text-muted">{people || 'Nobody in it yet: no phone is told of its calls.'}</p>
        <p className="mt-1">
          {call
            ? `${CALL_KIND_LABELS[call.kind]}, ${call.sites?.name ?? call.address}`
            : `Since ${formatDateTime(unit.state_since)}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-1 [&>button]:px-3">
        <Button
          variant="secondary"
          aria-label={`Change: ${call_sign}`}
          onClick={() => onShow('change')}
        >
          Change
        </Button>
        {unit.state === 'out_of_service' ? (
          <Button
            variant="secondary"
            busy={set.isPending}
            aria-label={`Back in Service: ${call_sign}`}
            onClick={backIn}
          >
            Back in Service
          </Button>
        ) : (
          <Button
            variant="ghost"
            aria-label={`Out of Service: ${call_sign}`}
            onClick={() => onShow('out')}
          >
            Out of Service
          </Button>
        )}
        <Button
          variant="danger-ghost"
          aria-label={`Delete: ${call_sign}`}
          onClick={() => onShow('delete')}
        >
          Delete
        </Button>
      </div>
    </li>
  );
}

export function UnitsTab() {
  const query = useUnits();
  const remove = useDeleteUnit();
  const [shown, setShown] = useState<{ unit: Unit; dialog: 'change' | 'out' | 'delete' }>();
  const done = () => setShown(undefined);
  return (
    <>
      <Loaded
        query={query}
        loadingText="Loading the units..."
        missing="The units could not be loaded"
      >
        {(units) =>
          units.length === 0 ? (
            <EmptyNote>No unit yet. Add the first one with New Unit.</EmptyNote>
          ) : (
            <ul aria-label="Units" className="grid gap-3 lg:grid-cols-2 2xl:grid-cols-3">
              {units.map((unit) => (
                <UnitCard
                  key={unit.id}
                  unit={unit}
                  onShow={(dialog) => setShown({ unit, dialog })}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {shown?.dialog === 'change' && <UnitForm unit={shown.unit} onClose={done} />}
      {shown?.dialog === 'out' && <OutDialog unit={shown.unit} onClose={done} />}
      {shown?.dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete ${shown.unit.call_sign}?`}
          question="Only a unit without calls on record can be deleted."
          confirmLabel="Delete"
          busyLabel="Deleting..."
          success="Unit deleted"
          failure="The unit was not deleted"
          onConfirm={() => remove.mutateAsync(shown.unit.id)}
          onClose={done}
        />
      )}
    </>
  );
}
