import { CountChips } from '#web/components/list/count-chips.tsx';
import { Loaded } from '#web/components/ui/loaded.tsx';
import { useIncidentQueue } from './review-api.ts';
import { QUEUES, type Queue } from './schema.ts';

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

export function QueueChips({ chosen, onChoose }: QueueChipsProps) {
  return (
    <Loaded query={useIncidentQueue()} loadingText="Counting...">
      {({ to_review, returned, to_approve, late }) => {
        const counts: Record<Queue, number> = {
          review: to_review,
          returned,
          approve: to_approve,
          late,
        };
        return (
          <CountChips
            label="Next steps"
            chips={QUEUES.map((id) => ({ id, count: counts[id], ...LOOKS[id] }))}
            chosen={chosen}
            onChoose={onChoose}
          />
        );
      }}
    </Loaded>
  );
}
