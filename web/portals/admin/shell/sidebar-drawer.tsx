import { X } from 'lucide-react';
import { Dialog as Primitive } from 'radix-ui';
import { buttonStyles } from '#web/components/ui/button.tsx';
import { SidebarNav } from './sidebar-nav.tsx';

type SidebarDrawerProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function SidebarDrawer({ open, onOpenChange }: SidebarDrawerProps) {
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="dialog-overlay fixed inset-0 z-40 bg-navy-950/60" />
        <Primitive.Content
          aria-describedby={undefined}
          className="drawer-panel fixed inset-y-0 left-0 z-50 w-[18rem] max-w-[85vw] outline-none"
        >
          <Primitive.Title className="sr-only">Menu</Primitive.Title>
          <SidebarNav onNavigate={() => onOpenChange(false)} />
          <Primitive.Close
            className={buttonStyles({
              variant: 'ghost',
              size: 'icon',
              className:
                'sidebar-night absolute top-2.5 right-2 text-sidebar-ink hover:bg-sidebar-active',
            })}
          >
            <X aria-hidden="true" className="size-5" />
            <span className="sr-only">Close</span>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
