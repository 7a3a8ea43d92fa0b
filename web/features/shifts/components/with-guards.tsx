// Whether copies of shifts take their guards along.
import { useId } from 'react';

type WithGuardsProps = { checked: boolean; onChange: (checked: boolean) => void; hint: string };

export function WithGuards({ checked, onChange, hint }: WithGuardsProps) {
  const id = useId();
  return (
    <div className="relative flex min-h-11 items-start gap-3">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={() => onChange(!checked)}
        aria-describedby={`${id}-hint`}
        className="m-0.5 size-5 shrink-0 accent-primary"
      />
      <div>
        <label htmlFor={id} className="font-medium after:absolute after:inset-0">
          With its guards
        </label>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      </div>
    </div>
  );
}
