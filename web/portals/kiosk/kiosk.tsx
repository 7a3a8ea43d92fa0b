import { CloudUpload, TriangleAlert, WifiOff } from 'lucide-react';
import { useCallback, useEffect, useEffectEvent, useState } from 'react';
import { Loading } from '#web/components/ui/loading.tsx';
import { BindScreen } from '#web/features/clocking/kiosk/bind-screen.tsx';
import { type Done, DoneScreen } from '#web/features/clocking/kiosk/done-screen.tsx';
import { type KioskPerson, peopleNow } from '#web/features/clocking/kiosk/people.ts';
import { PeopleScreen } from '#web/features/clocking/kiosk/people-screen.tsx';
import { PinScreen } from '#web/features/clocking/kiosk/pin-screen.tsx';
import { followPosition } from '#web/features/clocking/kiosk/position.ts';
import { keepScreenOn } from '#web/features/clocking/kiosk/screen-on.ts';
import { type KioskState, useKiosk } from '#web/features/clocking/kiosk/use-kiosk.ts';
import { serverNow, serverNowIso } from '#web/lib/clock/server-now.ts';
import { useServerNow } from '#web/lib/clock/use-server-now.ts';
import { formatTime } from '#web/lib/format/dates.ts';
import { useOnline } from '#web/lib/supabase/online.ts';

/** Without a touch for this long, the names show again, milliseconds. */
const IDLE_MS = 20_000;

function useIdle(isWatching: boolean, onIdle: () => void) {
  const leave = useEffectEvent(onIdle);
  useEffect(() => {
    if (!isWatching) return;
    let timer = setTimeout(() => leave(), IDLE_MS);
    const restart = () => {
      clearTimeout(timer);
      timer = setTimeout(() => leave(), IDLE_MS);
    };
    addEventListener('pointerdown', restart);
    addEventListener('keydown', restart);
    return () => {
      clearTimeout(timer);
      removeEventListener('pointerdown', restart);
      removeEventListener('keydown', restart);
    };
  }, [isWatching]);
}

type StatusBarProps = { kiosk: KioskState; now: number };

function StatusBar({ kiosk: { site, queue }, now }: StatusBarProps) {
  const isOnline = useOnline();
  const waiting = queue.filter(({ state }) => state === 'waiting').length;
  const refused = queue.length - waiting;
  return (
    <header className="sticky top-0 z-10 flex min-h-14 flex-wrap items-center gap-x-5 gap-y-1 bg-navy-900 px-4 py-2 text-white sm:px-8">
      <p className="mr-auto leading-tight font-semibold">
        {site?.site.name ?? 'Clock In and Out'}
        {site && <span className="block text-sm font-normal opacity-80">{site.device.name}</span>}
      </p>
      <div
        role="status"
        className="flex flex-wrap gap-x-5 text-sm empty:hidden max-sm:order-last max-sm:w-full"
      >
        {!isOnline && (
          <p className="flex items-center gap-2">
            <WifiOff aria-hidden="true" className="size-5" /> No network
          </p>
        )}
        {waiting > 0 && (
          <p className="flex items-center gap-2">
            <CloudUpload aria-hidden="true" className="size-5" /> Waiting to be sent: {waiting}
          </p>
        )}
        {refused > 0 && (
          <p className="flex items-center gap-2">
            <TriangleAlert aria-hidden="true" className="size-5" /> Call the office: {refused} could
            not be sent
          </p>
        )}
      </div>
      {site && (
        <p className="text-xl font-semibold tabular-nums">
          {formatTime(new Date(now).toISOString(), site.site.timezone)}
        </p>
      )}
    </header>
  );
}

export function Kiosk() {
  const kiosk = useKiosk();
  const { state, site, queue, refresh } = kiosk;
  const now = useServerNow() ?? serverNow();
  const [picked, setPicked] = useState<KioskPerson>();
  const [done, setDone] = useState<Done>();
  useEffect(followPosition, []);
  useEffect(() => (state === 'bound' ? keepScreenOn() : undefined), [state]);
  useIdle(picked !== undefined, () => setPicked(undefined));

  const backToNames = useCallback(() => {
    setPicked(undefined);
    setDone(undefined);
  }, []);

  function finish({ kind, isWaiting }: Pick<Done, 'kind' | 'isWaiting'>) {
    setPicked(undefined);
    setDone({ kind, isWaiting, at: serverNowIso() });
    refresh().catch(console.error);
  }

  function screen() {
    if (state === 'unbound') return <BindScreen onBound={() => void refresh()} />;
    if (!site) return <Loading className="m-auto" />;
    const zone = site.site.timezone;
    if (done) return <DoneScreen done={done} zone={zone} onClose={backToNames} />;
    if (picked) {
      return (
        <PinScreen
          key={picked.assignment_id}
          person={picked}
          zone={zone}
          onDone={finish}
          onCancel={backToNames}
        />
      );
    }
    return (
      <PeopleScreen people={peopleNow(site.people, queue, now)} zone={zone} onPick={setPicked} />
    );
  }

  return (
    <div className="flex min-h-dvh flex-col bg-surface text-ink">
      <StatusBar kiosk={kiosk} now={now} />
      {screen()}
    </div>
  );
}
