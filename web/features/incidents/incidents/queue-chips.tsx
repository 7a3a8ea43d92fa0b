import { CountChips } from '#web/components/list/count-chips.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { useIncidentQueue } from './review-api.ts';
import { QUEUES, type Queue } from './search.ts';

type Look = { label: string; hint: string; isUrgent: boolean };

const LOOKS: Record<Queue, Look> = {
  review: {
    label: 'To review',
    hint: 'New reports, and answers to questions about them',
    isUrgent: true,
  },
  returned: {
    label: 'Sent back',
    hint: 'The guard has a question to answer',
    isUrgent: false,
  },
  approve: {
    label: 'Letter to approve',
    hint: 'A letter to the client waits for approval',
    isUrgent: true,
  },
  late: {
    label: 'Late',
    hint: 'No response or no resolution in time',
    isUrgent: true,
  },
};

type QueueChipsProps = {
  chosen: Queue | undefined;
  onChoose: (queue: Queue | undefined) => void;
};

/** The chips are there before their counts, so that the list below never moves. */
export function QueueChips({ chosen, onChoose }: QueueChipsProps) {
  const query = useIncidentQueue();
  const { data } = query;
  const counts: Record<Queue, number | undefined> = {
    review: data?.to_review,
    returned: data?.returned,
    approve: data?.to_approve,
    late: data?.late,
  };
  if (query.isError && data === undefined) {
    return (
      <Loaded query={query} loadingText="Counting...">
        {() => null}
      </Loaded>
    );
  }
  return (
    <CountChips
      label="Next steps"
      chips={QUEUES.map((id) => ({ id, count: counts[id], ...LOOKS[id] }))}
      chosen={chosen}
      onChoose={onChoose}
    />
  );
}
