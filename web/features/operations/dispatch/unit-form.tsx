import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { Controller } from 'react-hook-form';
import { z } from 'zod';
import * as limits from '#shared/database.limits.ts';
import { createFields, FieldGrid } from '#web/components/form/fields.tsx';
import { PickerField } from '#web/components/form/picker-field.tsx';
import { EntryDialog } from '#web/components/form/record-dialog.tsx';
import { IconButton } from '#web/components/ui/icon-button.tsx';
import { type Choice, Picker } from '#web/components/ui/picker.tsx';
import { useMatchingSites, usePeople } from '#web/lib/data/lookups.ts';
import { pickedSchema, textField } from '#web/lib/form-fields/text-field.ts';
import { formatName } from '#web/lib/format/person-name.ts';
import { gpsField } from './call-form.tsx';
import { type Unit, useSaveUnit } from './dispatch-api.ts';

const unitSchema = z.object({
  callSign: textField('Call sign', limits.RESPONSE_UNITS_CALL_SIGN_MAX).min(
    1,
    'Write the call sign',
  ),
  vehicle: textField('Vehicle', limits.RESPONSE_UNITS_VEHICLE_MAX),
  site: pickedSchema.optional(),
  gps: gpsField,
  members: z.array(pickedSchema),
});

const startOf = (unit: Unit | undefined): z.input<typeof unitSchema> => ({
  callSign: unit?.call_sign ?? '',
  vehicle: unit?.vehicle ?? '',
  site: unit?.site_id ? { id: unit.site_id, label: unit.sites?.name ?? '' } : undefined,
  gps: unit?.base_gps ?? '',
  members:
    unit?.unit_members.map(({ user_id, profiles }) => ({
      id: user_id,
      label: formatName(profiles),
    })) ?? [],
});

type MembersProps = { value: Choice[]; onChange: (members: Choice[]) => void };

function Members({ value, onChange }: MembersProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        People
      </label>
      {value.length > 0 && (
        <ul className="mb-2 divide-y divide-line border-y border-line">
          {value.map((person) => (
            <li key={person.id} className="flex items-center justify-between gap-3 py-1">
              {person.label}
              <IconButton
                label={`Take out: ${person.label}`}
                Icon={X}
                onClick={() => onChange(value.filter((other) => other.id !== person.id))}
              />
            </li>
          ))}
        </ul>
      )}
      <Picker
        id={id}
        aria-describedby={undefined}
        searchLabel="Search people"
        placeholder="Add a person"
        value={undefined}
        onChange={(person) => {
          if (person && !value.some((other) => other.id === person.id)) {
            onChange([...value, person]);
          }
        }}
        useChoices={usePeople}
      />
    </div>
  );
}

type UnitFormProps = {
  /** Undefined for a new one. */
  unit?: Unit;
  onClose: () => void;
};

export function UnitForm({ unit, onClose }: UnitFormProps) {
  const save = useSaveUnit();
  const [id] = useState(() => unit?.id ?? crypto.randomUUID());
  const [seen] = useState(unit?.updated_at);
  return (
    <EntryDialog
      title={unit ? 'Change Unit' : 'New Unit'}
      schema={unitSchema}
      defaultValues={startOf(unit)}
      submitLabel={unit ? 'Save Unit' : 'Add Unit'}
      success={unit ? 'Unit saved' : 'Unit added'}
      failure="The unit was not saved"
      save={({ site, members, ...form }) =>
        save.mutateAsync({
          id,
          seen,
          siteId: site?.id,
          members: members.map((person) => person.id),
          ...form,
        })
      }
      onClose={onClose}
    >
      {(form) => {
        const field = createFields(form);
        return (
          <div className="grid gap-5">
            <FieldGrid>
              {field.text('callSign', 'Call Sign')}
              {field.text('vehicle', 'Vehicle', { optional: true })}
            </FieldGrid>
            <FieldGrid>
              <PickerField
                control={form.control}
                name="site"
                label="Base"
                optional
                searchLabel="Search sites"
                placeholder="Choose a site"
                useChoices={useMatchingSites}
              />
              {field.text('gps', 'Coordinates of the base', {
                optional: true,
                hint: 'Where the base is no site.',
              })}
            </FieldGrid>
            <Controller
              control={form.control}
              name="members"
              render={({ field: { value, onChange } }) => (
                <Members value={value} onChange={onChange} />
              )}
            />
          </div>
        );
      }}
    </EntryDialog>
  );
}
