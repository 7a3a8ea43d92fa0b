import { type ReactNode, useState } from 'react';
import { ScreenHeading } from '#web/components/list/screen-heading.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { LoadedNotes, NewNoteButton } from './room-log.tsx';
import { useRoomNotes } from './room-log-api.ts';

const SCREEN_DAYS = [7, 31, 366] as const;

type RoomLogScreenProps = {
  /** Beside New Note. */
  action: ReactNode;
  /** Those of as many days as the notes. */
  handovers: (days: number) => ReactNode;
};

/** The log of the control room and its handovers, further back than beside the board. */
export function RoomLogScreen({ action, handovers }: RoomLogScreenProps) {
  const [step, setStep] = useState(0);
  const days = SCREEN_DAYS[step] ?? SCREEN_DAYS[0];
  const earlier = SCREEN_DAYS[step + 1];
  return (
    <>
      <ScreenHeading
        title="Control Room Log"
        subtitle={`Pinned notes first, then those of the last ${days} days, newest first.`}
      >
        {action}
        <NewNoteButton />
      </ScreenHeading>
      {handovers(days)}
      <h3 className="mb-2 font-display text-lg leading-tight">Notes</h3>
      <LoadedNotes
        query={useRoomNotes(days)}
        empty={`Nothing was noted in the last ${days} days.`}
      />
      {earlier !== undefined && (
        <Button variant="secondary" className="mt-5" onClick={() => setStep(step + 1)}>
          Show the last {earlier} days
        </Button>
      )}
    </>
  );
}
