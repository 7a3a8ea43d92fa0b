import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as Sonner, toast, useSonner } from 'sonner';
import { useMediaQuery } from '#web/lib/app/media-query.ts';
import { startToasts } from './toast.ts';

/** app.css raises it where the navigation is at the bottom. */
const OFFSET = { bottom: 'var(--toast-bottom, 1.5rem)' };

const DIALOG = '[role=dialog]';
const FRONT_TOAST = '[data-sonner-toast][data-front=true]';

/** Attributes by which Sonner mounts and places a toast. */
const TOAST_STATES = ['data-mounted', 'data-front', 'data-y-position'];

/** Between a toast and the dialog above it, CSS pixels. */
const GAP = 12;

/** @returns height in CSS pixels that dialogs leave free, so that the toast covers none of their buttons */
function roomForToast(): number {
  const toast = document.querySelector<HTMLElement>(FRONT_TOAST);
  const dialog = [...document.querySelectorAll(DIALOG)].at(-1);
  const place = toast?.closest('[data-sonner-toaster]')?.getBoundingClientRect();
  if (!toast || !dialog || !place) return 0;
  if (toast.dataset.yPosition === 'top') return toast.offsetHeight;
  const { left, right } = dialog.getBoundingClientRect();
  const isBeside = place.right <= left || place.left >= right;
  return isBeside ? 0 : innerHeight - place.bottom + toast.offsetHeight + GAP;
}

/** Keeps the scroll position of dialogs relative to their lower edge. */
function leaveRoom(height: number) {
  const bodies = [...document.querySelectorAll<HTMLElement>('[data-dialog-body]')];
  const lowerEdges = bodies.map(({ scrollTop, clientHeight }) => scrollTop + clientHeight);
  document.documentElement.style.setProperty('--toast-room', `${height}px`);
  for (const [index, body] of bodies.entries()) {
    body.scrollTop = (lowerEdges[index] ?? 0) - body.clientHeight;
  }
}

/**
 * Leaves room for the toast now, and again when it is placed elsewhere or grows (a font arrives).
 * @returns stops watching
 */
function watchRoom(isShown: boolean): () => void {
  let frame = 0;
  const measure = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const toast = isShown ? document.querySelector(FRONT_TOAST) : null;
      leaveRoom(toast ? roomForToast() : 0);
      if (toast) sizes.observe(toast, { box: 'border-box' });
    });
  };
  const sizes = new ResizeObserver(measure);
  const places = new MutationObserver(measure);
  if (isShown) {
    places.observe(document.body, { subtree: true, attributeFilter: TOAST_STATES });
  }
  measure();
  return () => {
    cancelAnimationFrame(frame);
    sizes.disconnect();
    places.disconnect();
  };
}

function subscribeToDialogs(listener: () => void): () => void {
  // Dialogs are direct children of the body.
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { childList: true });
  return () => observer.disconnect();
}

const countDialogs = () => document.querySelectorAll(DIALOG).length;

/** @returns how many dialogs are open */
function useRoomForToasts(): number {
  const { toasts } = useSonner();
  const dialogs = useSyncExternalStore(subscribeToDialogs, countDialogs);
  // biome-ignore lint/correctness/useExhaustiveDependencies: re-measures when a dialog opens or closes.
  useEffect(() => watchRoom(toasts.length > 0), [toasts, dialogs]);
  return dialogs;
}

export function Toaster() {
  const isPhone = useMediaQuery('(width < 40rem)');
  const isOverSheet = useRoomForToasts() > 0 && isPhone;
  // Runs after the children's effects, so Sonner is subscribed.
  useEffect(() => startToasts(toast), []);
  // Outside the app's root: an open dialog hides the app from screen readers, which must announce toasts.
  return createPortal(
    <Sonner
      visibleToasts={1}
      // On a phone a dialog is a sheet at the lower edge.
      position={isOverSheet ? 'top-center' : 'bottom-right'}
      offset={OFFSET}
      // Sonner's mobile breakpoint is narrower than that of the bottom navigation.
      mobileOffset={OFFSET}
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
