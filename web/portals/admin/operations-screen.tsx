import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Loading } from '#web/components/ui/loading.tsx';
import { useAlerts } from '#web/features/operations/alerts/alert-api.ts';
import { AlertList } from '#web/features/operations/alerts/alert-list.tsx';
import { OperationsBoard } from '#web/features/operations/board/operations-board.tsx';
import type { OperationsSearch } from '#web/features/operations/board/operations-search.ts';
import { RoomLog } from '#web/features/operations/room-log/room-log.tsx';
import { BOARD_DAYS, useRoomNotes } from '#web/features/operations/room-log/room-log-api.ts';
import { HandOverLink, WaitingWatch } from '#web/features/operations/watch/watch-list.tsx';
import { isKnown } from '#web/lib/cache/is-known.ts';
import type { ChangeSearch } from '#web/lib/data/list-search.ts';
import { lazily } from '#web/lib/render/lazily.tsx';

const ReplacementPanel = lazily(
  async () =>
    (await import('#web/features/offers/replacements/replacement-panel.tsx')).ReplacementPanel,
);

const NoShow = lazily(
  async () => (await import('#web/features/offers/replacements/no-show.tsx')).NoShow,
);

type OperationsScreenProps = {
  search: OperationsSearch;
  onChange: ChangeSearch<OperationsSearch>;
};

export function OperationsScreen({ search, onChange }: OperationsScreenProps) {
  return (
    <OperationsBoard
      areAlertsKnown={isKnown(useAlerts())}
      search={search}
      onChange={onChange}
      alerts={({ now, isSiteShown }) => (
        <AlertList
          now={now}
          isShown={({ site_id }) => isSiteShown(site_id)}
          wantedId={search.alert}
          onOpenShift={(shiftId) => onChange({ open: shiftId, alert: undefined })}
        />
      )}
      log={<RoomLog action={<HandOverLink className="px-3" />} />}
      isLogKnown={isKnown(useRoomNotes(BOARD_DAYS))}
      watch={<WaitingWatch />}
      replacement={(shiftId) => (
        <LazyPart fallback={<Loading />}>
          <ReplacementPanel shiftId={shiftId} hasGuards={false} />
        </LazyPart>
      )}
      noShow={({ assignment_id, name, status, clock_in, expected }) => (
        <LazyPart>
          <NoShow
            assignmentId={assignment_id}
            name={name}
            status={status}
            hasClockedIn={clock_in !== null}
            expected={expected}
          />
        </LazyPart>
      )}
    />
  );
}
