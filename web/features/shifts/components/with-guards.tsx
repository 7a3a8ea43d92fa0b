// Whether copies of shifts take their guards along.
import { useId } from 'react';
import { Checkbox } from '#web/components/ui/checkbox.tsx';

type WithGuardsProps = { checked: boolean; onChange: (checked: boolean) => void; hint: string };

export function WithGuards({ checked, onChange, hint }: WithGuardsProps) {
  const id = useId();
  return (
    <div className="relative flex min-h-11 items-start gap-3">
      <Checkbox
        id={id}
        checked={checked}
        onChange={() => onChange(!checked)}
        aria-describedby={`${id}-hint`}
      />
      <div>
        <label htmlFor={id} className="font-medium">
          With its guards
        </label>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      </div>
    </div>
  );
}
