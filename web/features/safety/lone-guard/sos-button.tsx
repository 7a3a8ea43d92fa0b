// The SOS button of the staff portal: hold it for two seconds. Everything that it needs without a signal is loaded before.
import { useEffect, useId, useRef, useState } from 'react';
import { company } from '#company';
import { markPressed } from '#web/components/ui/opposite-button.tsx';
import { showError } from '#web/components/ui/toast.ts';
import { describeError } from '#web/lib/errors/error-message.ts';
import { SOS_KIND } from '#web/lib/outbox/kinds.ts';
import { sendNow } from '#web/lib/outbox/sending.ts';
import { useOutbox } from '#web/lib/outbox/use-outbox.ts';
import { locate, type Position } from '#web/lib/position/locate.ts';
import { firstPaint } from '#web/lib/render/first-paint.ts';
import { lazily } from '#web/lib/render/lazily.tsx';
import { raiseSos, SOS_SPOT, type Sos, type SosSite, startSos } from './sos.ts';
import { useHold } from './use-hold.ts';

const HOLD_MS = 2_000;
const HINT_MS = 4_000;
/** Milliseconds of vibration and pause. */
const SENT_PATTERN = [300, 100, 300, 100, 300];
/** While an SOS waits, the outbox doesn't wait longer and longer. */
const RETRY_MS = 3_000;

const SosDialog = lazily(async () => (await import('./sos-dialog.tsx')).SosDialog);

/** Opens the telephone with the control room's number. */
function callControlRoom(): void {
  window.location.assign(`tel:${company.hotline.replace(/[^\d+]/g, '')}`);
}

function useRetry(): void {
  const { waiting } = useOutbox();
  const isWaiting = waiting.some(({ kind }) => kind === SOS_KIND);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void sendNow(SOS_KIND), RETRY_MS);
    return () => clearInterval(timer);
  }, [isWaiting]);
}

type SosButtonProps = {
  userId: string;
  /** Where the guard is on duty, for the text message. */
  findSite: () => Promise<SosSite | undefined>;
};

export function SosButton({ userId, findSite }: SosButtonProps) {
  const [opened, setOpened] = useState<'asked' | Sos>();
  const [hint, setHint] = useState('');
  const position = useRef<Promise<Position | undefined>>(undefined);
  const describedBy = useId();
  useRetry();
  useEffect(() => {
    // On every screen: without a signal, toasts must appear too.
    void firstPaint
      .then(() =>
        Promise.all([
          SosDialog.load(),
          import('./send-safety.ts'),
          import('#web/components/ui/toaster.tsx'),
        ]),
      )
      .catch(console.warn);
  }, []);
  useEffect(() => {
    if (!hint) return;
    const timer = setTimeout(() => setHint(''), HINT_MS);
    return () => clearTimeout(timer);
  }, [hint]);

  async function send() {
    navigator.vibrate?.(SENT_PATTERN);
    setHint('');
    markPressed(SOS_SPOT, 'sos');
    const sos = await startSos(findSite);
    setOpened(sos);
    position.current ??= locate();
    const raised = raiseSos(userId, sos, position.current);
    position.current = undefined;
    callControlRoom();
    await raised.catch((error: unknown) => showError('SOS not sent', describeError(error)));
  }

  const { isHeld, handlers } = useHold({
    holdMs: HOLD_MS,
    onStart: () => {
      navigator.vibrate?.(60);
      setHint('Keep holding…');
      position.current = locate();
    },
    onHeld: () => void send(),
    onShort: () => setHint('Hold for 2 seconds to call for help.'),
    onActivate: () => setOpened('asked'),
  });
  return (
    <>
      <button
        type="button"
        aria-describedby={describedBy}
        {...handlers}
        className="relative flex min-h-14 w-full touch-none flex-col items-center justify-center gap-0.5 text-[min(0.75rem,3.75vw)] font-bold text-danger select-none [-webkit-touch-callout:none] focus-visible:-outline-offset-3 sm:min-h-12 sm:flex-row sm:gap-2 sm:px-3 sm:text-sm"
      >
        <Ring isHeld={isHeld} />
        SOS
      </button>
      <span id={describedBy} className="sr-only">
        Hold for 2 seconds to call for help. With a screen reader, activate it and confirm.
      </span>
      <span
        role="status"
        className={
          hint
            ? 'pointer-events-none fixed inset-x-4 bottom-[calc(var(--bottom-bar)+1rem)] z-40 mx-auto w-fit rounded-sm bg-danger px-4 py-2 text-sm font-semibold text-danger-ink shadow-overlay sm:top-28 sm:bottom-auto'
            : 'sr-only'
        }
      >
        {hint}
      </span>
      {opened && (
        <SosDialog
          userId={userId}
          sos={opened === 'asked' ? undefined : opened}
          onSend={() => void send()}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

/** Fills while the button is held. It is the progress itself, so it also moves with reduced motion. */
function Ring({ isHeld }: { isHeld: boolean }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 36 36"
      className="size-6 -rotate-90 overflow-visible sm:size-5"
    >
      <circle cx="18" cy="18" r="15" className="fill-danger/15 stroke-danger/40" strokeWidth="4" />
      <circle cx="18" cy="18" r="5" className="fill-danger" />
      <circle
        cx="18"
        cy="18"
        r="15"
        pathLength="100"
        fill="none"
        strokeWidth="6"
        strokeDasharray="100"
        className="stroke-danger"
        style={{
          strokeDashoffset: isHeld ? 0 : 100,
          transition: `stroke-dashoffset ${isHeld ? HOLD_MS : 150}ms linear`,
        }}
      />
    </svg>
  );
}
