// Says above every screen of the portal that there is no network, for as long as there is none.
import { WifiOff } from 'lucide-react';
import { useOnline } from '#web/lib/supabase/online.ts';

export function OfflineBar() {
  const isOnline = useOnline();
  return (
    <div role="status" className="print:hidden">
      {!isOnline && (
        <p className="flex items-center justify-center gap-2.5 border-b border-line bg-sunken px-4 py-2 text-sm">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          No connection. You see what was loaded last.
        </p>
      )}
    </div>
  );
}
