// /staff/waiting: what this device keeps until the server has it.
import { WaitingList } from '#web/components/outbox/waiting-list.tsx';
import { usePageTitle } from '#web/lib/app/page-title.ts';
import { RecordColumn } from './record-column.tsx';

export function WaitingScreen() {
  usePageTitle('Waiting to send');
  return (
    <RecordColumn>
      <WaitingList />
    </RecordColumn>
  );
}
