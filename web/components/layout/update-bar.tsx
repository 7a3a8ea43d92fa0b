// Says that a newer version of the app waits, and lets the person choose the moment. It covers nothing that is typed in.
import { Button } from '#web/components/ui/button.tsx';
import { notNow, useNewVersion } from '#web/lib/app/updates.ts';

export function UpdateBar() {
  const start = useNewVersion();
  return (
    <div role="status" className="sticky bottom-0 z-30 print:hidden">
      {start && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2 border-t border-line bg-raised px-4 py-3 shadow-overlay max-sm:pb-20">
          <p className="text-sm">
            <span className="font-semibold">A new version is ready.</span> Finish what you are
            typing first.
          </p>
          <div className="flex gap-2">
            <Button onClick={start}>Update now</Button>
            <Button variant="ghost" onClick={notNow}>
              Later
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}
