// Chooses days of the week.
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

type WeekdayChoiceProps = {
  /** 1 for Monday to 7 for Sunday. */
  value: readonly number[];
  onChange: (days: number[]) => void;
};

export function WeekdayChoice({ value, onChange }: WeekdayChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">On these days</legend>
      <div className="grid grid-cols-4 gap-1 sm:grid-cols-7">
        {WEEKDAYS.map((name, index) => {
          const day = index + 1;
          const isOn = value.includes(day);
          return (
            <label
              key={name}
              className="relative flex min-h-11 cursor-pointer items-center justify-center rounded-sm border border-line-strong text-sm has-checked:border-primary has-checked:bg-primary has-checked:text-primary-ink outline-(color:--focus) has-focus-visible:outline-3 has-focus-visible:outline-offset-2"
            >
              <input
                type="checkbox"
                checked={isOn}
                onChange={() =>
                  onChange(isOn ? value.filter((other) => other !== day) : [...value, day].sort())
                }
                className="absolute -inset-px size-[calc(100%+2px)] cursor-pointer opacity-0"
              />
              {name}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}
