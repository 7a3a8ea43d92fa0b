import { type ComponentProps, useId } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Checkbox } from './checkbox.tsx';

type LabelledCheckboxProps = Omit<ComponentProps<typeof Checkbox>, 'id'> & {
  label: string;
  hint: string;
  className?: string;
};

export function LabelledCheckbox({ label, hint, className, ...checkbox }: LabelledCheckboxProps) {
  const id = useId();
  return (
    <div className={cn('relative flex min-h-11 items-start gap-3', className)}>
      <Checkbox id={id} aria-describedby={`${id}-hint`} {...checkbox} />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      </div>
    </div>
  );
}
