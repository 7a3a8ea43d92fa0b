// Narrows a list to what happened from a day on, or up to one.
import { useId } from 'react';
import { Input } from '#web/components/ui/input.tsx';

type FilterDayProps = {
  /** For example "From". */
  label: string;
  /** yyyy-MM-dd */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
};

export function FilterDay({ label, value, onChange }: FilterDayProps) {
  const id = useId();
  return (
    <div className="flex min-w-40 items-center gap-2 max-sm:flex-1">
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
