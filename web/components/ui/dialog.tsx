// A modal window: a sheet from below on phones, a centred panel above. Only its own buttons and Escape close it,
// so that a stray tap beside it does not throw away what was typed.
import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/cn.ts';
import { buttonStyles } from './button-styles.ts';

type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: string;
  children: ReactNode;
  className?: string;
};

export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  className,
}: DialogProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="dialog-overlay fixed inset-0 z-40 bg-navy-950/60" />
        <Primitive.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          onInteractOutside={(event) => event.preventDefault()}
          className={cn(
            'dialog-panel fixed z-50 flex max-h-[calc(100dvh-1.5rem)] w-full flex-col border border-line bg-raised shadow-overlay',
            'inset-x-0 bottom-0 rounded-t-lg max-sm:max-h-[calc(100dvh-1.5rem-var(--toast-room,0px))]',
            'sm:top-1/2 sm:right-auto sm:bottom-auto sm:left-1/2 sm:max-w-xl sm:-translate-1/2 sm:rounded-md',
            className,
          )}
        >
          <header className="flex items-start gap-4 border-b border-line py-3 pr-3 pl-5 sm:pl-7">
            <div className="flex-1 py-1.5">
              <Primitive.Title className="font-display text-xl leading-tight">
                {title}
              </Primitive.Title>
              {description && (
                <Primitive.Description className="mt-1 text-sm text-muted">
                  {description}
                </Primitive.Description>
              )}
            </div>
            <Primitive.Close className={buttonStyles({ variant: 'ghost', size: 'icon' })}>
              <X aria-hidden="true" className="size-5" />
              <span className="sr-only">Close</span>
            </Primitive.Close>
          </header>
          <div
            data-dialog-body
            className="overflow-y-auto overscroll-contain px-5 py-5 sm:px-7 sm:py-6"
          >
            {children}
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
