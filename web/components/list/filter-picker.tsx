// Narrows a list to one of many, found by typing.
import { useId } from 'react';
import { Picker, type PickerProps } from '#web/components/ui/picker.tsx';

type FilterPickerProps = Omit<PickerProps, 'id' | 'aria-describedby'> & {
  /** Of the column, for example "Person". */
  label: string;
};

export function FilterPicker({ label, ...picker }: FilterPickerProps) {
  const id = useId();
  return (
    <div className="w-56 min-w-40 max-lg:flex-1">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Picker {...picker} id={id} aria-describedby={undefined} />
    </div>
  );
}
