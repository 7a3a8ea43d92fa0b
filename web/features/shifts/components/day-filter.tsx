// Narrows the shifts to one day, past ones too; without one they begin with today.
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { Input } from '#web/components/ui/input.tsx';

type DayFilterProps = {
  /** yyyy-MM-dd */
  value: string | undefined;
  onChange: (day: string | undefined) => void;
};

export function DayFilter({ value, onChange }: DayFilterProps) {
  const id = useId();
  const [typed, setTyped] = useState(value ?? '');
  const [shown, setShown] = useState(value);
  // Another day meanwhile, and not from here.
  if (shown !== value) {
    setShown(value);
    setTyped(value ?? '');
  }

  function type(day: string) {
    setTyped(day);
    // A year that is being typed goes through 0002 and 0020.
    if (day === '' || day >= '2000') onChange(day || undefined);
  }
  return (
    <div className="flex gap-1 max-lg:flex-1">
      <label htmlFor={id} className="sr-only">
        Day
      </label>
      <Input
        id={id}
        type="date"
        value={typed}
        onChange={({ target }) => type(target.value)}
        className="min-w-40"
      />
      {value && (
        <Button
          variant="ghost"
          size="icon"
          title="All from today on"
          aria-label="All from today on"
          onClick={() => onChange(undefined)}
        >
          <X aria-hidden="true" className="size-4" />
        </Button>
      )}
    </div>
  );
}
