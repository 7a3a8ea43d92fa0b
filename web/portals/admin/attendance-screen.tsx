import { AttendanceList } from '#web/features/attendance/attendance-list.tsx';
import type { AttendanceSearch } from '#web/features/attendance/search.ts';
import { MessagesButton } from '#web/features/messages/messages-button.tsx';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';

type AttendanceScreenProps = {
  search: AttendanceSearch;
  onChange: ChangeSearch<AttendanceSearch>;
};

export function AttendanceScreen(props: AttendanceScreenProps) {
  return <AttendanceList {...props} buttons={<MessagesButton />} />;
}
