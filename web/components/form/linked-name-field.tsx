import type { UseQueryResult } from '@tanstack/react-query';
import {
  type Control,
  Controller,
  type FieldPath,
  type FieldValues,
  useController,
} from 'react-hook-form';
import { Field } from '#web/components/ui/field.tsx';
import type { Choice } from '#web/components/ui/picker.tsx';
import { SuggestInput } from '#web/components/ui/suggest-input.tsx';

type LinkedNameFieldProps<Form extends FieldValues> = {
  control: Control<Form>;
  name: FieldPath<Form>;
  label: string;
  optional?: boolean;
  /** The field of the linked record's id; null when the name is edited: another name is another person or company. */
  idName: FieldPath<Form>;
  /** Hint while the name is linked. */
  linked: string;
  /** Names the suggestions for screen readers. */
  suggestions: string;
  useChoices: (text: string, isWanted: boolean) => UseQueryResult<Choice[]>;
};

export function LinkedNameField<Form extends FieldValues>(props: LinkedNameFieldProps<Form>) {
  const { label, optional = false, linked } = props;
  const { field: link } = useController({ control: props.control, name: props.idName });
  return (
    <Controller
      control={props.control}
      name={props.name}
      render={({ field, fieldState }) => (
        <Field
          label={label}
          optional={optional}
          error={fieldState.error?.message}
          hint={link.value === null ? undefined : linked}
        >
          {(control) => (
            <SuggestInput
              {...control}
              ref={field.ref}
              label={props.suggestions}
              name={field.name}
              value={String(field.value ?? '')}
              onChange={(text, choice) => {
                field.onChange(text);
                link.onChange(choice?.id ?? null);
              }}
              onBlur={field.onBlur}
              useChoices={props.useChoices}
            />
          )}
        </Field>
      )}
    />
  );
}
