// Narrows a list to one value of a column, or to none.
import { useId } from 'react';
import { Select } from '#web/components/ui/select.tsx';

type FilterSelectProps<Value extends string> = {
  /** Of the column, for example "State". */
  label: string;
  /** For no filter, for example "All states". */
  all: string;
  options: readonly (readonly [value: Value, label: string])[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
};

export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, options, value, onChange } = props;
  const id = useId();
  return (
    <div className="min-w-40 max-lg:flex-1">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Select
        id={id}
        value={value ?? ''}
        onChange={({ target }) =>
          onChange(options.find(([option]) => option === target.value)?.[0])
        }
      >
        <option value="">{all}</option>
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
    </div>
  );
}
