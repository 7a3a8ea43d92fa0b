// Puts the toaster on a page that does without it until its first toast.
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { Toaster } from '#web/components/ui/toaster.tsx';

let mounted = false;

/** Returns when toasts can be shown; does nothing the second time. */
export function mountToaster(): void {
  if (mounted) return;
  mounted = true;
  const place = document.body.appendChild(document.createElement('div'));
  flushSync(() => createRoot(place).render(<Toaster />));
}
