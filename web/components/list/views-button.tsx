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
      <Button
        variant="secondary"
        title="Views"
        className="max-sm:w-11 max-sm:flex-none! max-sm:px-0"
        onClick={() => setOpen(true)}
      >
        <Bookmark aria-hidden="true" className="size-4.5" />
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
