import type { ComponentProps, ReactNode } from 'react';
import {
  Controller,
  type FieldPath,
  type FieldValues,
  type RegisterOptions,
  type UseFormReturn,
} from 'react-hook-form';
import { company } from '#company';
import { Field } from '#web/components/ui/field.tsx';
import { Input, Textarea } from '#web/components/ui/input.tsx';
import { OptionSelect } from '#web/components/ui/option-select.tsx';
import { cn } from '#web/lib/cn.ts';
import type { Option } from '#web/lib/vocabulary/options.ts';

type FieldOptions = {
  optional?: boolean;
  hint?: string | undefined;
  /** Spans both columns of the grid. */
  wide?: boolean;
  className?: string;
};

type RegisteredOptions<Form extends FieldValues> = FieldOptions & {
  register?: RegisterOptions<Form, FieldPath<Form>>;
};

type InputOptions<Form extends FieldValues> = RegisteredOptions<Form> &
  Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'placeholder' | 'min' | 'max' | 'disabled'>;

type NotesOptions<Form extends FieldValues> = RegisteredOptions<Form> & { rows?: number };

type SelectOptions<Form extends FieldValues> = RegisteredOptions<Form> & {
  /** For no choice, for example "Choose a site". */
  empty?: string;
  /** Searched even while the options are loading. */
  isSearched?: boolean;
};

/**
 * The fields of a record's form, each with its label and error:
 * `const field = fieldsOf(form);`, then `{field.day('hire_date', 'Hire Date')}` inside `FieldGrid`.
 */
export function createFields<Form extends FieldValues>(form: UseFormReturn<Form>) {
  type Name = FieldPath<Form>;

  function frame(
    name: Name,
    label: string,
    { wide, className, optional, hint }: FieldOptions,
    children: ComponentProps<typeof Field>['children'],
  ) {
    const { error } = form.getFieldState(name, form.formState);
    return (
      <Field
        {...{ label, optional, hint, children }}
        error={error?.message}
        className={cn(wide && 'col-span-full', className)}
      />
    );
  }
  function input(
    name: Name,
    label: string,
    options: InputOptions<Form>,
    inputClass?: string,
  ): ReactNode {
    const { type, inputMode, placeholder, min, max, disabled, register, ...field } = options;
    const rest = { type, inputMode, placeholder, min, max, disabled, className: inputClass };
    return frame(name, label, field, (control) => (
      <Input {...control} {...form.register(name, register)} autoComplete="off" {...rest} />
    ));
  }
  function select(
    name: Name,
    label: string,
    options: readonly Option[],
    { empty, isSearched, register, ...field }: SelectOptions<Form> = {},
  ): ReactNode {
    return (
      <Controller
        control={form.control}
        name={name}
        rules={{ deps: register?.deps ?? [] }}
        render={({ field: { ref, value, onChange } }) =>
          frame(name, label, field, (control) => (
            <OptionSelect
              {...{ ...control, ref, options, empty, isSearched, value }}
              searchLabel={`Search: ${label}`}
              onChange={(chosen) => {
                onChange(chosen);
                register?.onChange?.({ target: { name, value: chosen } });
              }}
            />
          ))
        }
      />
    );
  }
  return {
    text: (name: Name, label: string, options: InputOptions<Form> = {}) =>
      input(name, label, options),
    /** A whole number. */
    count: (name: Name, label: string, options: InputOptions<Form> = {}) =>
      input(name, label, { inputMode: 'numeric', ...options }),
    amount: (name: Name, label: string, options: InputOptions<Form> = {}) =>
      input(
        name,
        label,
        { inputMode: 'decimal', placeholder: '0.00', ...options },
        'text-right tabular-nums',
      ),
    day: (name: Name, label: string, options: InputOptions<Form> = {}) =>
      input(name, label, { type: 'date', ...options }),
    select,
    notes: (name: Name, label: string, { rows = 3, ...options }: NotesOptions<Form> = {}) =>
      frame(name, label, { optional: true, wide: true, ...options }, (control) => (
        <Textarea {...control} {...form.register(name, options.register)} rows={rows} />
      )),
    /** The company's currencies, and the one that the record already has. */
    currency: (name: Name, label: string) => {
      const current = form.getValues(name);
      const currencies = new Set<string>([...company.currencies, ...(current ? [current] : [])]);
      return select(
        name,
        label,
        [...currencies].map((each) => [each, each]),
      );
    },
  };
}

/** Two columns, one on phones. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className="grid gap-5 sm:grid-cols-2">{children}</div>;
}

export function CalculatedField({ label, children }: { label: string; children: string }) {
  return (
    <p className="flex items-baseline justify-between gap-4 rounded-sm bg-sunken px-4 py-3 sm:col-span-2">
      <span className="text-muted">{label}</span>
      <output className="text-lg font-semibold tabular-nums">{children}</output>
    </p>
  );
}
