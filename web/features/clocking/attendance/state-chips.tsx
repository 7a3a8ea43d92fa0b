import { CountChips } from '#web/components/list/count-chips.tsx';
import { Explained } from '#web/components/ui/explained.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { useAttendanceCounts } from './api.ts';
import {
  type AttendanceState,
  STATE_HINTS,
  STATE_LABELS,
  STATES,
  URGENT_STATES,
  WORKLISTS,
} from './attendance-states.ts';
import type { AttendanceSearch } from './search.ts';

/** What each state means, for those who can't hover over its chip. */
const StateWords = () => (
  <Explained
    label="What the states mean"
    words={STATES.map((state) => [STATE_LABELS[state], STATE_HINTS[state]] as const)}
  />
);

type StateChipsProps = {
  search: AttendanceSearch;
  onState: (state: AttendanceState | undefined) => void;
};

export function StateChips({ search: { day, site, state: chosen }, onState }: StateChipsProps) {
  const query = useAttendanceCounts({ day, site });
  const chips = (counts?: ReadonlyMap<string, number>) => (
    <CountChips
      label="States"
      first={<StateWords />}
      chips={STATES.map((state) => ({
        id: state,
        label: STATE_LABELS[state],
        hint: `${STATE_HINTS[state]}${day === undefined && WORKLISTS.includes(state) ? ', every day' : ''}`,
        count: counts && (counts.get(state) ?? 0),
        isUrgent: URGENT_STATES.includes(state),
      }))}
      chosen={chosen}
      onChoose={onState}
    />
  );
  return (
    <Loaded query={query} loadingText="Counting..." placeholder={chips()}>
      {chips}
    </Loaded>
  );
}
