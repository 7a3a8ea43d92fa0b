import { formatTimeRange } from '#web/lib/format/dates.ts';
import type { ClockShift } from './clock-event.ts';

/** Hours of a shift. A line ends after the hyphen between the times, never before it. */
export function ShiftHours({ shift: { start_time, end_time, timezone } }: { shift: ClockShift }) {
  const times = formatTimeRange(start_time, end_time, timezone);
  return times.split(/(?<= - )/).map((time) => (
    <span key={time} className="inline-block whitespace-pre-wrap">
      {time}
    </span>
  ));
}

export function ShiftFacts({ shift }: { shift: ClockShift }) {
  return (
    <div className="min-w-0">
      <p className="text-lg font-semibold break-words">{shift.site_name}</p>
      <p className="break-words">{shift.client_name}</p>
      <p className="text-balance tabular-nums">
        <ShiftHours shift={shift} />
      </p>
    </div>
  );
}

type ShiftChoiceProps = {
  shifts: readonly ClockShift[];
  chosen: ClockShift;
  onChoose: (shift: ClockShift) => void;
};

export function ShiftChoice({ shifts, chosen, onChoose }: ShiftChoiceProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold">Which shift?</legend>
      {shifts.map((shift) => (
        <label
          key={shift.assignment_id}
          className="flex min-h-11 cursor-pointer items-start gap-3 rounded-sm border border-line-strong p-3 has-checked:border-ink has-checked:bg-sunken"
        >
          <input
            type="radio"
            name="shift"
            className="mt-1.5 size-5 shrink-0 accent-primary"
            checked={shift.assignment_id === chosen.assignment_id}
            onChange={() => onChoose(shift)}
          />
          <ShiftFacts shift={shift} />
        </label>
      ))}
    </fieldset>
  );
}
