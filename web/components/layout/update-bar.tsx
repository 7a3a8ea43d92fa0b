import { Button } from '#web/components/ui/button.tsx';
import { dismissUpdate, useNewVersion } from '#web/lib/app/updates.ts';

export function UpdateBar() {
  const activate = useNewVersion();
  return (
    <div role="status" className="sticky bottom-0 z-30 print:hidden">
      {activate && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-t border-line bg-raised px-4 py-3 shadow-overlay max-sm:pb-20">
          <p className="text-sm">
            <span className="font-semibold">A new version is ready.</span> Finish what you are
            typing first.
          </p>
          <div className="flex gap-2">
            <Button onClick={activate}>Update now</Button>
            <Button variant="ghost" onClick={dismissUpdate}>
              Later
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
