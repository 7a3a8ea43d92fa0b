import { type ComponentProps, useId } from 'react';
import { cn } from '#web/lib/cn.ts';

type ChoiceButtonsProps<Value extends string> = {
  values: readonly Value[];
  labels: Record<Value, string>;
  legend: string;
  error: string | undefined;
  /** From react-hook-form's `register`. */
  field: ComponentProps<'input'>;
  /** Classes of the dot before a label, where the choices have colours. */
  dots?: Record<Value, string>;
  className?: string;
};

export function ChoiceButtons<Value extends string>(props: ChoiceButtonsProps<Value>) {
  const { legend, error, field, values, labels, dots, className } = props;
  const errorId = useId();
  return (
    <fieldset className={className} aria-describedby={error && errorId}>
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-2">
        {values.map((value) => (
          <label
            key={value}
            className="relative flex min-h-12 flex-col items-center justify-center gap-1 rounded-sm border border-line-strong px-1 text-sm font-semibold hover:border-ink/60 has-checked:border-primary has-checked:bg-primary has-checked:text-primary-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-aria-invalid:border-danger"
          >
            <input
              {...field}
              type="radio"
              value={value}
              aria-invalid={error ? true : undefined}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {dots && (
              <span
                aria-hidden="true"
                className={cn('size-2.5 rounded-full ring-1 ring-white/60', dots[value])}
              />
            )}
            {labels[value]}
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
