import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Input } from '#web/components/ui/input.tsx';

type DayFilterProps = {
  /** For example "From". */
  label: string;
  /** yyyy-MM-dd; undefined for any day. */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
  /** Adds a button that removes the day, with this label. */
  clearLabel?: string;
};

export function DayFilter({ label, value, onChange, clearLabel }: DayFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState(value ?? '');
  const [shown, setShown] = useState(value);
  // The day was changed elsewhere, for example by the Back button.
  if (shown !== value) {
    setShown(value);
    setTyped(value ?? '');
  }

  function type(day: string) {
    setTyped(day);
    // While a year is being typed it passes through 0002 and 0020.
    if (day === '' || day >= '2000') onChange(day || undefined);
  }
  return (
    <div className="flex min-w-40 items-center max-lg:min-w-50 gap-2 max-lg:flex-1">
      <label htmlFor={id} className="text-sm text-muted">
        {label}
      </label>
      <Input id={id} type="date" value={typed} onChange={({ target }) => type(target.value)} />
      {clearLabel && value && (
        <Button
          variant="ghost"
          size="icon"
          title={clearLabel}
          aria-label={clearLabel}
          onClick={() => onChange(undefined)}
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
      )}
    </div>
  );
}
