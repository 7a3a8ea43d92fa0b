// A modal dialog: a bottom sheet on phones, a centred panel on wider screens. Only its buttons and Escape close it, and they ask
// for confirmation if the user has typed something.
import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { cn } from '#web/lib/cn.ts';
import { useBackCloses } from './back-closes.ts';
import { Button, buttonStyles } from './button.tsx';
import { findOpeners, focusFirst, watchFocus } from './dialog-focus.ts';
import { focusPlace } from './focus-places.ts';

type PanelProps = {
  title: string;
  description?: string;
  children: ReactNode;
  className?: string;
};

type DialogProps = PanelProps & {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Typed text is stored as a draft, so closing needs no confirmation. */
  keepsDraft?: boolean;
};

type TextField = HTMLInputElement | HTMLTextAreaElement;

const NOT_TYPED = 'checkbox radio file search range color button submit reset hidden';

const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex="0"]';

/** Search fields don't count: losing one is harmless. */
function isTextField(element: Element): element is TextField {
  if (element instanceof HTMLTextAreaElement) return true;
  return (
    element instanceof HTMLInputElement &&
    !NOT_TYPED.split(' ').includes(element.type) &&
    !element.matches('[cmdk-input]')
  );
}

/** Whether a text field of the dialog has changed since it was first focused. */
function useTypedText() {
  const before = useRef(new Map<TextField, string>());
  return {
    note({ target, currentTarget }: FocusEvent) {
      // React also delivers events of popovers, which are elsewhere in the document.
      if (!isTextField(target) || !currentTarget.contains(target)) return;
      if (!before.current.has(target)) before.current.set(target, target.value);
    },
    hasTypedText: () =>
      [...before.current].some(
        ([field, value]) => field.isConnected && field.value.trim() !== value.trim(),
      ),
  };
}

/** @returns a ref, and whether the element scrolls and nothing in it takes the focus */
function useScrollStop() {
  const body = useRef<HTMLDivElement>(null);
  const [isStop, setStop] = useState(false);
  useEffect(() => {
    const element = body.current;
    if (!element) return undefined;
    const sizes = new ResizeObserver(() =>
      setStop(
        element.scrollHeight > element.clientHeight && element.querySelector(FOCUSABLE) === null,
      ),
    );
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    return () => sizes.disconnect();
  }, []);
  return { body, isStop };
}

/** Scrolls. Where nothing else in it takes the focus it does, or a keyboard user could not scroll it (WCAG 2.1.1). */
function DialogBody({ title, children }: Pick<PanelProps, 'title' | 'children'>) {
  const { body, isStop } = useScrollStop();
  return (
    <div
      ref={body}
      data-dialog-body
      {...(isStop && { role: 'region', 'aria-label': title, tabIndex: 0 })}
      className="overflow-y-auto overscroll-contain px-5 py-5 sm:px-7 sm:py-6"
    >
      <div>{children}</div>
    </div>
  );
}

function DialogPanel({
  openers,
  title,
  description,
  children,
  className,
  onFocusCapture,
}: PanelProps & {
  openers: readonly HTMLElement[];
  onFocusCapture: (event: FocusEvent) => void;
}) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (panel.current) return watchFocus(panel.current, openers);
  }, [openers]);
  return (
    <>
      <Primitive.Overlay className="dialog-overlay fixed inset-0 z-50 bg-navy-950/60" />
      {/* Centred, or higher if the toast needs the room below. */}
      <div className="pointer-events-none fixed inset-0 z-50 grid grid-rows-[1fr_auto_0] justify-items-center sm:grid-rows-[minmax(0.75rem,1fr)_auto_minmax(calc(0.75rem+var(--toast-room,0px)),1fr)]">
        <Primitive.Content
          ref={panel}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onInteractOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            if (panel.current) focusFirst(panel.current);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusPlace(openers);
          }}
          onFocusCapture={onFocusCapture}
          className={cn(
            'dialog-panel row-start-2 flex max-h-[calc(100dvh-1.5rem-var(--toast-room,0px))] w-full flex-col',
            'rounded-t-lg border border-line bg-raised shadow-overlay sm:max-w-xl sm:rounded-md',
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
          <DialogBody title={title}>{children}</DialogBody>
        </Primitive.Content>
      </div>
    </>
  );
}

export function Dialog({
  open,
  onOpenChange,
  keepsDraft = false,
  children,
  ...panel
}: DialogProps) {
  const [openers, setOpeners] = useState<readonly HTMLElement[]>([]);
  const [wasOpen, setWasOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const { note, hasTypedText } = useTypedText();
  if (open !== wasOpen) {
    setWasOpen(open);
    setAsking(false);
    if (open) setOpeners(findOpeners());
  }
  function change(wanted: boolean) {
    if (wanted || keepsDraft || !hasTypedText()) onOpenChange(wanted);
    else setAsking(true);
  }
  useBackCloses(open, () => change(false));
  return (
    <Primitive.Root open={open} onOpenChange={change}>
      <Primitive.Portal>
        <DialogPanel {...panel} openers={openers} onFocusCapture={note}>
          {children}
          {isAsking && (
            <Dialog open onOpenChange={setAsking} title="Discard what you typed?">
              <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
                <Button data-first-focus variant="secondary" onClick={() => setAsking(false)}>
                  Keep Editing
                </Button>
                <Button variant="danger" onClick={() => onOpenChange(false)}>
                  Discard
                </Button>
              </div>
            </Dialog>
          )}
        </DialogPanel>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
