import { AttendanceList } from '#web/features/clocking/attendance/attendance-list.tsx';
import type { AttendanceSearch } from '#web/features/clocking/attendance/search.ts';
import { MessagesButton } from '#web/features/safety/messages/messages-button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

type AttendanceScreenProps = {
  search: AttendanceSearch;
  onChange: ChangeSearch<AttendanceSearch>;
};

export function AttendanceScreen(props: AttendanceScreenProps) {
  return <AttendanceList {...props} buttons={<MessagesButton />} />;
}
