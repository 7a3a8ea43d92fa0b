import { ChevronLeft, ChevronRight, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/components/ui/button.tsx';

type LogPagerProps = {
  /** Cursor of this page; undefined on the newest one. */
  before: string | undefined;
  /** Cursor of the next page; undefined on the oldest one. */
  older: string | undefined;
  busy: boolean;
  onPage: (before: string | undefined) => void;
  /** Reloads the newest page. */
  onRefresh: () => void;
};

export function LogPager({ before, older, busy, onPage, onRefresh }: LogPagerProps) {
  // Cursors of the pages before: a log has no page numbers to go back by.
  const [trail, setTrail] = useState<(string | undefined)[]>([]);
  const isNewest = before === undefined;
  return (
    <nav
      aria-label="Pages"
      className="mt-5 flex flex-wrap items-center justify-between gap-3 print:hidden"
    >
      <Button
        variant="secondary"
        busy={busy}
        onClick={() => {
          setTrail([]);
          if (isNewest) onRefresh();
          else onPage(undefined);
        }}
      >
        {!busy && isNewest && <RotateCw aria-hidden="true" className="size-4" />}
        {isNewest ? 'Refresh' : 'Newest'}
      </Button>
      <div className="flex gap-3">
        <Button
          variant="secondary"
          disabled={isNewest}
          onClick={() => {
            onPage(trail.at(-1));
            setTrail(trail.slice(0, -1));
          }}
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          Newer
        </Button>
        <Button
          variant="secondary"
          disabled={older === undefined}
          onClick={() => {
            setTrail(isNewest ? [undefined] : [...trail, before]);
            onPage(older);
          }}
        >
          Older
          <ChevronRight aria-hidden="true" className="size-4" />
        </Button>
      </div>
    </nav>
  );
}
