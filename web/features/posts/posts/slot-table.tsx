import { Plus, Trash2 } from 'lucide-react';
import type { FocusEvent, KeyboardEvent } from 'react';
import { type Cycle, formatMinute, parseMinute, type Slot } from '#shared/demand/cycle.ts';
import { Button } from '#web/components/ui/button.tsx';
import { Input } from '#web/components/ui/input.tsx';
import { Select } from '#web/components/ui/select.tsx';
import { dayLabel } from './figures.ts';
import { addSlot, editSlot, removeSlot } from './slot-moves.ts';

/** Takes over a typed value when the field is left or Enter is pressed: half a number would already change the cycle. */
export const commitOnLeave = (commit: (value: string) => void) => ({
  onBlur: ({ target }: FocusEvent<HTMLInputElement>) => commit(target.value),
  onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    commit(event.currentTarget.value);
  },
});

export type SlotsProps = {
  cycle: Cycle;
  /** Day 0. */
  from: string;
  /** For a new slot. */
  headcount: number;
  onChange: (slots: Slot[]) => void;
};

type RowProps = Pick<SlotsProps, 'cycle' | 'from' | 'onChange'> & { slot: Slot };

/** @returns minutes from one time of day to another, a whole day if they are the same */
const between = (start: string, end: string): number =>
  (parseMinute(end) - parseMinute(start) + 1_440) % 1_440 || 1_440;

function SlotRow({ cycle, from, slot, onChange }: RowProps) {
  const name = `${dayLabel(from, slot.day)}, ${slot.start}`;
  const end = formatMinute(parseMinute(slot.start) + slot.minutes);
  const edit = (change: Partial<Slot>) => onChange(editSlot(cycle, slot.slot, change));
  return (
    <li className="grid grid-cols-2 items-center gap-2 py-3 sm:py-1.5 sm:grid-cols-[1fr_9rem_9rem_4.5rem_auto]">
      <div className="max-sm:col-span-full">
        <Select
          aria-label={`Day of ${name}`}
          value={slot.day}
          onChange={({ target }) => edit({ day: Number(target.value) })}
        >
          {Array.from({ length: cycle.cycle_days }, (_, day) => (
            <option key={dayLabel(from, day)} value={day}>
              {dayLabel(from, day)}
            </option>
          ))}
        </Select>
      </div>
      <Input
        type="time"
        aria-label={`Start of ${name}`}
        key={`start ${slot.start}`}
        defaultValue={slot.start}
        {...commitOnLeave((start) => {
          if (start && start !== slot.start) edit({ start });
        })}
      />
      <Input
        type="time"
        aria-label={`End of ${name}`}
        key={`end ${end}`}
        defaultValue={end}
        {...commitOnLeave((typed) => {
          if (typed && typed !== end) edit({ minutes: between(slot.start, typed) });
        })}
      />
      <Input
        type="number"
        min={1}
        max={100}
        aria-label={`Guards of ${name}`}
        value={slot.headcount}
        onChange={({ target }) => {
          const headcount = Math.round(target.valueAsNumber);
          if (headcount >= 1 && headcount <= 100) edit({ headcount });
        }}
      />
      <Button
        variant="danger-ghost"
        size="icon"
        title="Remove"
        className="justify-self-end"
        aria-label={`Remove ${name}`}
        onClick={() => onChange(removeSlot(cycle, slot.slot))}
      >
        <Trash2 aria-hidden="true" className="size-4" />
      </Button>
    </li>
  );
}

/** The same slots as in the drawing, one a row: for phones and screen readers. */
export function SlotTable({ cycle, from, headcount, onChange }: SlotsProps) {
  return (
    <div className="rounded-md border border-line px-3 py-2">
      <p
        aria-hidden="true"
        className="hidden gap-2 text-sm text-muted sm:grid sm:grid-cols-[1fr_9rem_9rem_4.5rem_2.75rem]"
      >
        <span>Day</span>
        <span>Start</span>
        <span>End</span>
        <span>Guards</span>
      </p>
      <ul aria-label="Slots" className="divide-y divide-line">
        {cycle.slots.map((slot) => (
          <SlotRow key={slot.slot} {...{ cycle, from, slot, onChange }} />
        ))}
      </ul>
      <Button
        variant="ghost"
        onClick={() => onChange(addSlot(cycle, 0, 6 * 60, { headcount }).slots)}
      >
        <Plus aria-hidden="true" className="size-4" />
        Add Slot
      </Button>
    </div>
  );
}
