// The place where toasts appear. Mounted once per page.
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as Sonner, toast, useSonner } from 'sonner';
import { startToasts } from './toast.ts';

/** The app sets another distance where its navigation is at the lower edge (app.css); the public site does not. */
const PLACE = { bottom: 'var(--toast-bottom, 1.5rem)' };

/** Sheets on a phone leave this room above themselves; what is read and typed in them stays where it is. */
function leaveRoom(height: number) {
  const bodies = [...document.querySelectorAll<HTMLElement>('[data-dialog-body]')];
  const lowerEdges = bodies.map(({ scrollTop, clientHeight }) => scrollTop + clientHeight);
  document.documentElement.style.setProperty('--toast-room', `${height}px`);
  for (const [index, body] of bodies.entries()) {
    body.scrollTop = (lowerEdges[index] ?? 0) - body.clientHeight;
  }
}

function useRoomForToasts() {
  const { toasts } = useSonner();
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const shown = document.querySelector<HTMLElement>('[data-sonner-toast][data-y-position=top]');
      leaveRoom(toasts.length > 0 && shown ? shown.offsetHeight : 0);
    });
    return () => cancelAnimationFrame(frame);
  }, [toasts]);
}

export function Toaster() {
  useRoomForToasts();
  // After the effects of what is inside: it listens by then.
  useEffect(() => startToasts(toast), []);
  // Beside the app and not in it: an open dialog hides the app from screen readers, and what it says must be heard.
  return createPortal(
    <Sonner
      visibleToasts={1}
      position="bottom-right"
      offset={PLACE}
      // What the library calls mobile ends before the navigation leaves the lower edge.
      mobileOffset={PLACE}
      style={{ fontFamily: 'inherit' }}
      icons={{
        success: <CircleCheck aria-hidden="true" className="size-5 text-success" />,
        error: <CircleAlert aria-hidden="true" className="size-5 text-danger" />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast: [
            'flex w-full items-center gap-3 rounded-sm border border-line bg-raised p-4 text-ink shadow-overlay',
            'border-l-4 data-[type=error]:border-l-danger data-[type=success]:border-l-success sm:w-(--width)',
          ].join(' '),
          icon: 'shrink-0',
          content: 'min-w-0 flex-1',
          title: 'text-sm font-semibold',
          description: 'mt-0.5 text-sm break-words text-muted',
          actionButton:
            'min-h-11 shrink-0 rounded-sm border border-line-strong px-4 text-sm font-semibold hover:bg-sunken',
        },
      }}
    />,
    document.body,
  );
}
