import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { lazily } from '#web/lib/render/lazily.tsx';
import { useListPath } from '#web/lib/views/saved-views.ts';

const ViewsDialog = lazily(async () => (await import('./views-dialog.tsx')).ViewsDialog);

/** @param hasLayouts whether the user chooses between cards and a table */
export function ViewsButton({ hasLayouts }: { hasLayouts: boolean }) {
  const list = useListPath();
  const [isOpen, setOpen] = useState(false);
  if (list === undefined) return null;
  const close = () => setOpen(false);
  return (
    <>
      {/* On the line of the title, which it makes no higher: the row of buttons is full on many lists. */}
      <Button
        variant="ghost"
        title="Views"
        className="-my-2.5 min-w-11 gap-1.5 px-2 align-middle text-sm text-accent sm:ml-1 print:hidden"
        onClick={() => setOpen(true)}
      >
        <Bookmark aria-hidden="true" className="size-4" />
        <span className="max-sm:sr-only">Views</span>
      </Button>
      {isOpen && (
        <LazyPart onClose={close}>
          <ViewsDialog list={list} hasLayouts={hasLayouts} onClose={close} />
        </LazyPart>
      )}
    </>
  );
}
