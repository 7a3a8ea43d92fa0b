import { ArrowLeftRight } from 'lucide-react';
import { lazy, useState } from 'react';
import { LazyPart } from '#web/components/layout/lazy-part.tsx';
import { Button } from '#web/components/ui/button.tsx';
import { Opening } from '#web/components/ui/loading.tsx';
import type { GuardShift } from './api.ts';

const SwapDialog = lazy(async () => ({ default: (await import('./swap-dialog.tsx')).SwapDialog }));

/** Of a shift to come; nothing otherwise. */
export function SwapButton({ shift }: { shift: GuardShift }) {
  const [isOpen, setOpen] = useState(false);
  const { status } = shift;
  if (status !== 'assigned' && status !== 'confirmed') return null;
  if (Date.parse(shift.shift.start_time) <= Date.now()) return null;
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="ghost"
        className="mt-1.5 px-3.5 max-sm:w-full"
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
