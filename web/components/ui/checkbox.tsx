import { Check } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { cn } from '#web/lib/cn.ts';

/** Its hit area covers the whole row, which must be `relative` and at least 44 px tall. */
export function Checkbox(props: Omit<ComponentProps<'input'>, 'type' | 'className'>) {
  return (
    <>
      <input
        type="checkbox"
        className="peer absolute -inset-px size-[calc(100%+2px)] cursor-pointer opacity-0 disabled:cursor-not-allowed"
        {...props}
      />
      <span
        aria-hidden="true"
        className="m-0.5 flex size-5 shrink-0 items-center justify-center rounded-xs border border-line-strong bg-raised text-transparent outline-(color:--focus) peer-checked:border-primary peer-checked:bg-primary peer-checked:text-primary-ink peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-disabled:border-line peer-disabled:bg-sunken"
      >
        <Check className="size-4" />
      </span>
    </>
  );
}

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
