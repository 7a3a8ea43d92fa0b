import { useState } from 'react';
import { type Control, Controller, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import { type Choice, Picker, type PickerProps } from '#web/components/ui/picker.tsx';

type PickerFieldProps<Form extends FieldValues> = {
  control: Control<Form>;
  name: FieldPath<Form>;
  label: string;
  optional?: boolean;
  hint?: string;
  className?: string;
  storesId?: boolean;
} & Pick<PickerProps, 'searchLabel' | 'placeholder' | 'useChoices'>;

/** A field of a record's form whose value is a choice found by searching; with `storesId`, its id or ''. */
export function PickerField<Form extends FieldValues>(props: PickerFieldProps<Form>) {
  const { control, name, label, optional = false, hint, className, storesId, ...picker } = props;
  const [choice, setChoice] = useState<Choice>();
  return (
    <Controller
      control={control}
      name={name}
      render={({ field, fieldState: { error } }) => (
        <Field {...{ label, optional, hint, className }} error={error?.message}>
          {({ id, 'aria-describedby': describedBy }) => (
            <Picker
              {...picker}
              id={id}
              ref={field.ref}
              aria-describedby={describedBy}
              value={storesId ? choice : field.value}
              onChange={(chosen) => {
                setChoice(chosen);
                field.onChange(storesId ? (chosen?.id ?? '') : chosen);
              }}
            />
          )}
        </Field>
      )}
    />
  );
}
