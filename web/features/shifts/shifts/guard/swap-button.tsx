import { ArrowLeftRight } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import type { GuardShift } from './api.ts';

const SwapDialog = lazy(async () => ({ default: (await import('./swap-dialog.tsx')).SwapDialog }));

export function SwapButton({ shift }: { shift: GuardShift }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="ghost"
        className="px-3 text-muted"
        aria-haspopup="dialog"
        aria-label={`Swap, ${shift.shift.site.name}`}
        onClick={() => setOpen(true)}
      >
        <ArrowLeftRight aria-hidden="true" className="size-4" /> Swap
      </Button>
      {isOpen && (
        <LazyPart fallback={<Opening title="Swap this shift" />} onClose={close}>
          <SwapDialog shift={shift} onClose={close} />
        </LazyPart>
      )}
    </>
  );
}
