import { RoomLogScreen } from '#web/features/operations/room-log/room-log-screen.tsx';
import { HandOverLink, WatchList } from '#web/features/operations/watch/watch-list.tsx';

export const LogScreen = () => (
  <RoomLogScreen action={<HandOverLink />} handovers={(days) => <WatchList days={days} />} />
);
