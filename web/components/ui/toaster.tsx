// The place where toasts appear. Mounted once per page.
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as Sonner, toast, useSonner } from 'sonner';
import { startToasts } from './toast.ts';

/** Above the navigation of the staff portal, which a phone has at the lower edge. */
const ABOVE_NAVIGATION = 'calc(4.5rem + env(safe-area-inset-bottom))';

/** Tells the sheets on a phone how much room a toast at the upper edge takes. */
function useToastRoom() {
  const { toasts } = useSonner();
  useEffect(() => {
    const { style } = document.documentElement;
    const frame = requestAnimationFrame(() => {
      const shown = document.querySelector<HTMLElement>('[data-sonner-toast][data-y-position=top]');
      style.setProperty('--toast-room', `${toasts.length > 0 && shown ? shown.offsetHeight : 0}px`);
    });
    return () => cancelAnimationFrame(frame);
  }, [toasts]);
}

export function Toaster() {
  useToastRoom();
  // After the effects of what is inside: it listens by then.
  useEffect(() => startToasts(toast), []);
  // Beside the app and not in it: an open dialog hides the app from screen readers, and what it says must be heard.
  return createPortal(
    <Sonner
      visibleToasts={1}
      position="bottom-right"
      mobileOffset={{ bottom: ABOVE_NAVIGATION }}
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
