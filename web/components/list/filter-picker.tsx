import { useId } from 'react';
import { Picker, type PickerProps } from '#web/components/ui/picker.tsx';

type FilterPickerProps = Omit<PickerProps, 'id' | 'aria-describedby'> & {
  /** For example "Person". */
  label: string;
  className?: string;
};

/** In a file of its own: most lists load without the picker's code. */
export function FilterPicker({
  label,
  className = 'w-40 min-w-40 max-lg:flex-1',
  ...picker
}: FilterPickerProps) {
  const id = useId();
  return (
    <div className={className}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Picker {...picker} id={id} aria-describedby={undefined} />
    </div>
  );
}
