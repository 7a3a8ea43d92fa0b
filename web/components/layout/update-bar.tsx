import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';
import { keepFocus } from '#web/components/ui/focus-places.ts';
import { activateAndReload, dismissUpdate, useNewVersion } from '#web/lib/app/updates.ts';
import { placesOfScreen } from './use-screen-focus.ts';

/** Sets `--update-bar`, the height that the bar covers at the lower edge of the screen, above the navigation of a phone. */
function reserveHeight(bar: HTMLElement | null) {
  if (!bar) return undefined;
  const { style } = document.documentElement;
  const sizes = new ResizeObserver(() =>
    style.setProperty('--update-bar', `${bar.offsetHeight}px`),
  );
  sizes.observe(bar);
  return () => {
    sizes.disconnect();
    style.removeProperty('--update-bar');
  };
}

export function UpdateBar() {
  const worker = useNewVersion();
  const [accepted, setAccepted] = useState<ServiceWorker>();
  return (
    <div role="status" className="sticky bottom-(--bottom-bar) z-30 print:hidden">
      {worker && (
        // The message about a missing file covers it, and offers the same.
        <div
          ref={reserveHeight}
          className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-t border-line bg-raised px-4 py-3 shadow-overlay [body:has([data-missing-file])_&]:hidden"
        >
          <p className="text-sm">
            <span className="font-semibold">A new version is ready.</span> Finish what you are
            typing first.
          </p>
          <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
            <Button
              busy={accepted === worker}
              onClick={() => {
                setAccepted(worker);
                activateAndReload(worker);
              }}
            >
              Update now
            </Button>
            <Button
              variant="ghost"
              onClick={({ currentTarget }) => {
                keepFocus(currentTarget, placesOfScreen);
                dismissUpdate();
              }}
            >
              Later
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
