// Loaded only when the page was opened while a demo company was being filled.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { parseAppConfig } from '#web/lib/supabase/app-config.ts';
import { watchedFetch } from '#web/lib/supabase/online.ts';

const LOOK_EVERY_MS = 3_000;

async function isStillFilling(): Promise<boolean> {
  const answer = await watchedFetch('/app-config.json');
  return parseAppConfig(await answer.json()).isDemoFilling === true;
}

export function DemoNote() {
  const client = useQueryClient();
  const [isFilling, setFilling] = useState(false);
  useEffect(() => {
    let timer: number | undefined;
    let isGone = false;
    let wasFilling = false;
    const look = async (): Promise<void> => {
      // Without an answer the note stays: the server may be restarting, and then goes on filling.
      const answer = await isStillFilling().catch(() => wasFilling);
      if (isGone) return;
      setFilling(answer);
      if (answer) timer = window.setTimeout(look, LOOK_EVERY_MS);
      else if (wasFilling) void client.invalidateQueries();
      wasFilling = answer;
    };
    void look();
    return () => {
      isGone = true;
      window.clearTimeout(timer);
    };
  }, [client]);
  return (
    <div role="status" className="print:hidden">
      {isFilling && (
        <p className="mb-4 text-sm text-muted">
          The months behind us are still being filled in: timesheets, pay runs and invoices follow
          within a minute.
        </p>
      )}
    </div>
  );
}
