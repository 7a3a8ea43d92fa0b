import { cn } from '#web/lib/cn.ts';

type ChoiceBarProps<Value extends string> = {
  legend: string;
  name: string;
  options: readonly (readonly [value: Value, label: string])[];
  value: Value;
  onChange: (to: Value) => void;
};

/** One of a few, two beside each other on phones. */
export function ChoiceBar<Value extends string>(props: ChoiceBarProps<Value>) {
  const { legend, name, options, value, onChange } = props;
  return (
    <fieldset className="print:hidden">
      <legend className="sr-only">{legend}</legend>
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {options.map(([option, label]) => (
          <label
            key={option}
            className={cn(
              'relative flex min-h-12 items-center justify-center rounded-sm border border-line-strong px-4 text-sm font-semibold hover:border-ink/60',
              'has-checked:border-primary has-checked:bg-primary has-checked:text-primary-ink',
              'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
            )}
          >
            <input
              type="radio"
              name={name}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              checked={option === value}
              onChange={() => onChange(option)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
