// Narrows a list to a day, or to days from or up to one.
import { useId } from 'react';
import { Input } from '#web/components/ui/input.tsx';

type DayFilterProps = {
  /** Stands before the date, for example "From". */
  label: string;
  /** yyyy-MM-dd; nothing for any day. */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
};

export function DayFilter({ label, value, onChange }: DayFilterProps) {
  const id = useId();
  return (
    <div className="flex min-w-40 items-center max-lg:min-w-50 gap-2 max-lg:flex-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value || undefined)}
      />
    </div>
  );
}
